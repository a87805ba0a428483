import Basics
import Foundation
import TestSupport

/// `Tests/judges/machine.c` as a library: a machine whose power goes and whose clock is set.
enum Machine {
    /// nil where there is no C compiler.
    static let library: String? = {
        guard let folder = try? TemporaryFolder() else { return nil }
        keptFolder = folder
        let (source, library) = (SharedFiles.packageRoot + "/Tests/judges/machine.c", folder.file("machine.so"))
        let verdict = try? Command.run("cc", ["-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"])
        return verdict?.status == 0 ? library : nil
    }()

    /// Written once, while `library` is made; it keeps the folder for the life of the process.
    private nonisolated(unsafe) static var keptFolder: TemporaryFolder?
}

/// The book of a program that was killed, and what it means for its files.
///
/// What a power cut takes: bytes behind the last flush of their file are gone, overwritten ones are zero, and so is the memory that
/// processes share about the database. Names of files that were flushed stay: file systems write both with one journal. What is
/// written while a flush runs is not part of it. The machine that starts again is another life of it.
struct PowerCut {
    /// Some file systems forget the new length with the bytes, some keep it and have zeros there.
    enum Tail: CaseIterable { case gone, zeros }

    private let book: String
    private let boot: String
    /// Sizes of the files that were there before the program began, by device and inode: all of that is safe.
    private var before: [String: Int] = [:]

    /// - Parameter folder: not one that is struck.
    init(folder: String) throws {
        try Files.makeDirectory(folder)
        (book, boot) = (folder + "/book", folder + "/boot")
        try startAgain()
    }

    /// The life of the machine until it is struck.
    var life: String { String(decoding: (try? Files.read(boot)) ?? [], as: UTF8.self) }

    var variables: [String: String] { ["LD_PRELOAD": Machine.library ?? "", "POWERCUT_BOOK": book, "BOOT_ID": boot] }

    private func startAgain() throws { try Files.writeAtomically(Array(UUID().uuidString.utf8), to: boot) }

    /// Call before each start of the program: a new book.
    mutating func begin(_ folder: String) throws {
        try Files.remove(book)
        before = [:]
        for path in try Self.files(below: folder) {
            var info = stat()
            if lstat(path, &info) == 0 { before["\(info.st_dev):\(info.st_ino)"] = Int(info.st_size) }
        }
    }

    /// Takes the unflushed bytes away from everything below `folder`. Gives the number of bytes that were lost.
    func strike(_ folder: String, tail: Tail) throws -> Int {
        try startAgain()
        let files = FileBook.read(book, before)
        var lost = 0
        var struck: Set<String> = []
        for path in try Self.files(below: folder) {
            if path.hasSuffix("-shm") {
                try Files.remove(path)
                continue
            }
            var info = stat()
            guard lstat(path, &info) == 0, let entry = files["\(info.st_dev):\(info.st_ino)"],
                struck.insert("\(info.st_dev):\(info.st_ino)").inserted
            else { continue }
            lost += try entry.strike(path, size: Int(info.st_size), tail)
        }
        return lost
    }

    private static func files(below folder: String) throws -> [String] {
        guard Files.isDirectory(folder) else { return [] }
        return try Files.list(folder).flatMap { name -> [String] in
            let path = folder + "/" + name
            var info = stat()
            guard lstat(path, &info) == 0 else { return [] }
            if info.st_mode & S_IFMT == S_IFDIR { return try files(below: path) }
            return info.st_mode & S_IFMT == S_IFREG ? [path] : []
        }
    }
}

/// What is known about the bytes of one file.
private struct FileBook {
    var length = 0
    /// Bytes from the start that a flush has made safe.
    var safe = 0
    private var written: [Range<Int>] = []
    /// Of `written`, how many from the start are safe.
    private var flushed = 0
    /// What a flush is about, by its thread.
    private var begun: [Int: (written: Int, length: Int)] = [:]

    private init(length: Int = 0) { (self.length, safe) = (length, length) }

    static func read(_ path: String, _ before: [String: Int]) -> [String: FileBook] {
        let text = String(decoding: (try? Files.read(path)) ?? [], as: UTF8.self)
        var files = before.mapValues { FileBook(length: $0) }
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 4, let offset = Int(words[2]), let count = Int(words[3]) else { continue }
            files[String(words[1]), default: FileBook()].note(words[0], offset, count)
        }
        return files
    }

    private mutating func note(_ kind: Substring, _ offset: Int, _ count: Int) {
        switch kind {
        case "W":
            written.append(offset..<offset + count)
            length = max(length, offset + count)
        case "T":
            (length, safe) = (min(length, offset), min(safe, offset))
        case "B":
            begun[offset] = (written.count, length)
        default:
            guard let flush = begun.removeValue(forKey: offset) else { return }
            flushed = max(flushed, flush.written)
            safe = min(length, max(safe, flush.length))
        }
    }

    /// - Parameter size: of the file; the last write may have had no time to be noted.
    func strike(_ path: String, size: Int, _ tail: PowerCut.Tail) throws -> Int {
        let lost = written[flushed...].filter { $0.lowerBound < size } + (length < size ? [length..<size] : [])
        if lost.isEmpty { return 0 }
        // Adopted files are read-only.
        let mode = chmod(path, 0o600)
        guard mode == 0, let file = FileHandle(forUpdatingAtPath: path) else {
            throw SystemError(call: "open", path: path, code: errno)
        }
        defer { try? file.close() }
        for range in lost where range.lowerBound < safe {
            try file.seek(toOffset: UInt64(range.lowerBound))
            file.write(Data(count: min(range.upperBound, safe) - range.lowerBound))
        }
        if size > safe {
            try file.truncate(atOffset: UInt64(safe))
            if tail == .zeros { try file.truncate(atOffset: UInt64(size)) }
        }
        return lost.reduce(0) { $0 + $1.count }
    }
}
