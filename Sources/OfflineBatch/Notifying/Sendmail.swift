import Basics
import Foundation
import Reporting

/// Hands a mail to the machine's own mail program: it knows the mail server and the account, so that no password of theirs is here.
struct Sendmail: Sendable {
    var program: String
    var variables: [String: String]
    var seconds: Int

    func send(_ message: String) async throws(Trouble) {
        // What the program needs to find its way; secrets of the run are none of its business.
        let needed = ["PATH", "HOME", "USER", "LOGNAME", "LANG", "TZ", "TMPDIR", "XDG_CONFIG_HOME"]
        let environment = variables.filter { needed.contains($0.key) }
        let path = Paths.join(NSTemporaryDirectory(), "offline-batch-mail-\(UUID().uuidString)")
        let result = await offPool { [program, seconds] () throws(Never) -> Result<Void, Trouble> in
            do throws(SystemError) {
                try Files.writeAtomically(message.utf8, to: path, mode: 0o600)
            } catch {
                return .failure(Trouble("\(path): \(error.message)"))
            }
            defer { try? Files.remove(path) }
            do throws(ChildProcess.Failure) {
                _ = try ChildProcess.run([program, "-t", "-i"], environment: environment, input: path, seconds: seconds)
                return .success(())
            } catch {
                return .failure(Trouble("\(program): \(Wording.words(for: error))"))
            }
        }
        try result.get()
    }
}
