import Basics
import Foundation
import Glibc

/// `<output>/<area>/generations/<UTC time>/` and the symbolic link `current` beside it (design chapter 5).
///
/// A generation is built under a hidden name, flushed, renamed to its time, and only then does `current` move: a reader sees the old
/// map or the new one. Old ones go apart from it ([GenerationRemoval]); files that are not ours are never touched.
public struct Generations: Sendable {
    public var output: String
    public var area: String

    public init(output: String, area: String) {
        self.output = output
        self.area = area
    }

    var areaFolder: String { Paths.join(output, area) }
    var folder: String { areaFolder + "/generations" }

    /// `20261130T150405Z`: sorts by time and is a safe name everywhere.
    public static func name(of time: Date) -> String { ISOTime.compact(time) }

    /// Such a time, and a number behind it when there was a map of that second already.
    static func isName(_ name: String) -> Bool { time(of: name) != nil }

    /// UTC; nil for what is no name of ours.
    public static func time(of name: String) -> Date? {
        let number = name.utf8.dropFirst(16)
        let digits = number.dropFirst()
        let isNumbered = number.first == UInt8(ascii: "-") && !digits.isEmpty && digits.allSatisfy { (0x30...0x39).contains($0) }
        return number.isEmpty || isNumbered ? ISOTime.date(compact: name.utf8.prefix(16)) : nil
    }

    /// An empty hidden folder to build in; what an interrupted run left under such names is removed first.
    public func stage(_ name: String) throws(SystemError) -> String {
        try Files.makeDirectory(folder)
        try dropStages()
        let path = stagingPath(name)
        try Files.makeNewDirectory(path)
        return path
    }

    /// Removes what interrupted runs left half built; under the lock of a run.
    public func dropStages() throws(SystemError) {
        for left in try Files.list(folder) where Self.isStage(left) { try Files.remove("\(folder)/\(left)") }
    }

    /// Names of half-built maps: a run's at work, or what one left.
    public var stages: [String] { ((try? Files.list(folder)) ?? []).filter(Self.isStage) }

    /// `.20261130T021500Z.partial`: a user's own hidden file has another name.
    static func isStage(_ name: String) -> Bool {
        name.hasPrefix(".") && name.hasSuffix(".partial") && isName(String(name.dropFirst().dropLast(".partial".count)))
    }

    public func stagingPath(_ name: String) -> String { "\(folder)/.\(name).partial" }

    /// Gives the staged folder its name and moves `current` to it. Returns the generation's path below the output folder.
    ///
    /// 1. Flush every file and folder of the stage. 2. Rename it. 3. Make a new link beside `current`. 4. Rename the link over it.
    /// A crash between the steps leaves `current` on the old generation.
    public func publish(_ name: String) throws(SystemError) -> String {
        let staged = stagingPath(name)
        try Self.flush(staged)
        var taken = Set(try Files.list(folder))
        let final = Paths.unique(name, taken: &taken)
        try Files.rename(staged, to: "\(folder)/\(final)")
        try makeCurrent(final)
        return "\(area)/generations/\(final)"
    }

    /// Moves `current` to a generation in one step, under the lock of a run. Of a process that was killed between the link and its
    /// rename one link is left at most, and replaced by the next.
    public func makeCurrent(_ name: String) throws(SystemError) {
        let link = areaFolder + "/.current.next"
        try requireLink(areaFolder + "/current")
        try Files.remove(link)
        if symlink("generations/\(name)", link) != 0 { throw SystemError(call: "symlink", path: link, code: errno) }
        try Files.rename(link, to: "\(areaFolder)/current")
    }

    /// A file or folder of that name is somebody's: a copy that followed links leaves one.
    private func requireLink(_ path: String) throws(SystemError) {
        do throws(SystemError) {
            if try FileStatus.of(path).kind != .link { throw SystemError(call: "symlink", path: path, code: EEXIST) }
        } catch  where error.isNotFound {
            return
        }
    }

    /// The generation that `current` points to, if it is there.
    public var current: String? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = buffer.withUnsafeMutableBytes { readlink(areaFolder + "/current", $0.baseAddress!, $0.count) }
        guard count > 0 else { return nil }
        let target = String(decoding: buffer[0..<count], as: UTF8.self)
        return Files.isDirectory(Paths.join(areaFolder, target)) ? Paths.name(target) : nil
    }

    private static func flush(_ path: String) throws(SystemError) {
        for name in try Files.list(path) {
            let child = "\(path)/\(name)"
            if Files.isDirectory(child) { try flush(child) } else { try Files.syncFile(child) }
        }
        try Files.syncDirectory(path)
    }
}
