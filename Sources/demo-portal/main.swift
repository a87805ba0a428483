import DemoPortal
import Foundation

exit(DemoPortalCommand.run(Array(CommandLine.arguments.dropFirst())))
