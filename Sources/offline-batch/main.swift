import Foundation
import OfflineBatch

exit(await OfflineBatch.main(arguments: Array(CommandLine.arguments.dropFirst())))
