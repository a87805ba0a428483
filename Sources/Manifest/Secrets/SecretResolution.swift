import Basics
import Glibc

extension SecretReference {
    /// Longest secret in bytes; a larger file was named by mistake.
    static let maximumLength = 1 << 16
    static let commandSeconds = 60
    /// The variable with the folder of credentials (systemd.exec(5)).
    public static let credentialFolder = "CREDENTIALS_DIRECTORY"

    /// Fetches the secret. Files are read and commands run off the cooperative pool.
    public func resolve(environment: [String: String]) async throws(SecretError) -> Secret {
        switch self {
        case .environment(let name):
            guard let value = environment[name] else { throw failure(.notSet(variable: name)) }
            return try secret(Array(value.utf8))
        case .file(let path):
            return try await offPool { () throws(SecretError) in try secret(try read(path, refusesOthers: true)) }
        case .credential(let name):
            guard let folder = environment[Self.credentialFolder], !folder.isEmpty else {
                throw failure(.notSet(variable: Self.credentialFolder))
            }
            // systemd keeps the folder closed to others, and may give the file to the group of the unit.
            return try await offPool { () throws(SecretError) in
                try secret(try read(Paths.join(folder, name), refusesOthers: false))
            }
        case .command(let words):
            return try await offPool { () throws(SecretError) in
                let output: [UInt8]
                do throws(ChildProcess.Failure) {
                    output = try ChildProcess.run(
                        words, environment: environment, seconds: Self.commandSeconds, limit: Self.maximumLength)
                } catch {
                    throw failure(SecretError.Reason(error))
                }
                return try secret(output)
            }
        }
    }

    private func failure(_ reason: SecretError.Reason) -> SecretError { SecretError(reference: self, reason: reason) }

    /// The bytes as text, without the newline that editors put at the end.
    private func secret(_ bytes: [UInt8]) throws(SecretError) -> Secret {
        if bytes.count > Self.maximumLength { throw failure(.tooLong) }
        guard var text = String(validating: bytes, as: UTF8.self), !text.unicodeScalars.contains("\0") else {
            throw failure(.notText)
        }
        if text.last?.isNewline == true { text.removeLast() }
        if text.isEmpty { throw failure(.empty) }
        return Secret(text, from: description)
    }

    private func read(_ path: String, refusesOthers: Bool) throws(SecretError) -> [UInt8] {
        let outcome: Result<[UInt8], SecretError>
        do throws(SystemError) {
            // The open file is asked for its mode, so that nobody can put another in its place in between.
            outcome = try FileDescriptor.withOpen(path, takesPipes: true) { (file) throws(SystemError) in
                let mode = try file.mode()
                if refusesOthers, mode & 0o077 != 0 { return .failure(failure(.openToOthers(mode: mode & 0o777))) }
                return .success(try file.readAll(limit: Self.maximumLength))
            }
        } catch {
            throw failure(error.code == EFBIG ? .tooLong : .unreadable(error))
        }
        return try outcome.get()
    }
}
