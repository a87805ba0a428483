import Basics
import Glibc

/// Puts tiles that come bundle by bundle into the bundles of a zip. One bundle at a time lies in a file beside the package,
/// because its index, which stands first, is known last; so memory holds an index, not tiles.
struct TileBundleStream {
    /// `tile` or `p12/tile`.
    let folder: String
    private let spoolPath: String
    private var spool: FileDescriptor?
    private var current: BundleAddress?
    private var layout = CompactBundleLayout()
    private var finished: Set<BundleAddress> = []
    private(set) var tilesPerLevel: [Int: Int] = [:]

    init(folder: String, packagePath: String) {
        self.folder = folder
        spoolPath = packagePath + ".bundle.partial"
    }

    mutating func add(_ address: TileAddress, _ data: [UInt8], to zip: ZipWriter) throws(FormatError) {
        if address.bundle != current {
            try close(into: zip)
            try open(address.bundle, zip)
        }
        guard let spool else { return }
        try layout.place(address, size: data.count)
        var record: [UInt8] = []
        record.reserveCapacity(data.count + 4)
        record.appendLittleEndian(UInt32(data.count))
        record += data
        let bytes = record[...]
        try withFormatErrors { () throws(SystemError) in try spool.write(bytes) }
        tilesPerLevel[address.level, default: 0] += 1
    }

    private mutating func open(_ bundle: BundleAddress, _ zip: ZipWriter) throws(FormatError) {
        guard bundle.level >= 0, bundle.firstRow >= 0, bundle.firstColumn >= 0 else {
            throw FormatError(.misuse, file: zip.path, entry: bundle.stem, detail: "a negative address")
        }
        guard finished.insert(bundle).inserted else {
            throw FormatError(.misuse, file: zip.path, entry: bundle.stem, detail: "tiles must come bundle by bundle")
        }
        let path = spoolPath
        let file = try withFormatErrors { () throws(SystemError) in
            let file = try FileDescriptor.open(path, flags: O_RDWR | O_CREAT | O_TRUNC)
            try file.write([UInt8](repeating: 0, count: CompactBundle.dataStart)[...])
            return file
        }
        spool = file
        current = bundle
        layout = CompactBundleLayout()
    }

    /// Ends the open bundle: its header takes the place that was kept for it, and the file goes into the zip.
    mutating func close(into zip: ZipWriter) throws(FormatError) {
        guard let bundle = current, let file = spool else { return }
        defer {
            file.close()
            unlink(spoolPath)
            spool = nil
            current = nil
        }
        let header = layout.header
        try withFormatErrors { () throws(SystemError) in
            if lseek(file.raw, 0, SEEK_SET) < 0 { throw SystemError(call: "lseek", path: file.path, code: errno) }
            try file.write(header[...])
        }
        try zip.add("\(folder)/\(BundleAddress.folder(level: bundle.level))/\(bundle.stem).bundle", file: spoolPath)
    }

    /// Removes what an unfinished bundle left on the disk.
    mutating func abandon() {
        guard let spool else { return }
        spool.close()
        unlink(spoolPath)
        self.spool = nil
    }
}
