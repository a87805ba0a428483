import Foundation
import OfflineBatch

// At a lowered priority (`nice`, `Nice=`) libdispatch fails to raise that of its threads, and says so in the system log each time.
setenv("LIBDISPATCH_LOG", "NO", 0)
exit(await OfflineBatch.main(arguments: Array(CommandLine.arguments.dropFirst())))
