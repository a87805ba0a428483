print("offline-batch")
