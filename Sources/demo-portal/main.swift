print("demo-portal")
