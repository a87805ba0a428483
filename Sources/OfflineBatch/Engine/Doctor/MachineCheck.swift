import Basics
import Formats
import Foundation
import Geography
import Manifest
import Reporting
import Transport

/// What any run needs of the machine: libraries, PROJ's database, certificate authorities. Asks no network. Blocks.
struct MachineCheck {
    var variables: [String: String]
    var zone: TimeZone
    /// The manifest's own authorities, in place of the system's.
    var caFile: String?

    func findings() -> [Finding] {
        [.libraries(LibraryVersion.all), projections(), authorities(), .zone(zone.identifier)]
    }

    /// London in British National Grid: a transformation that needs proj.db. (530 000, 180 400) by the Ordnance Survey, to a
    /// kilometre.
    private func projections() -> Finding {
        do throws(GeographyError) {
            let london = Envelope(xmin: -0.13, ymin: 51.5, xmax: -0.12, ymax: 51.51)
            let grid = try Projection.project(london, from: .wgs84, to: SpatialReference(wkid: 27700))
            let isRight = abs(grid.xmin - 529_800) < 1000 && abs(grid.ymin - 179_800) < 1000
            return .projections(works: isRight, reason: isRight ? "" : "London comes out at \(grid.xmin), \(grid.ymin)")
        } catch {
            return .projections(works: false, reason: "\(error)")
        }
    }

    /// Debian's places, and what OpenSSL and libcurl take instead.
    private func authorities() -> Finding {
        let named = [caFile] + ["CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR"].map { variables[$0] }
        let places = named.compactMap { $0 }.filter { !$0.isEmpty } + ["/etc/ssl/certs/ca-certificates.crt", "/etc/ssl/cert.pem"]
        return .authorities(found: places.first(where: Self.holdsSomething), looked: places)
    }

    private static func holdsSomething(_ path: String) -> Bool {
        if Files.isDirectory(path) { return ((try? Files.list(path)) ?? []).isEmpty == false }
        return ((try? Files.size(path)) ?? 0) > 0 && (try? Files.read(path)) != nil
    }
}

extension LibraryVersion {
    /// As loaded, not as compiled against; by name.
    static var all: [LibraryVersion] {
        (basics + geography + manifest + transport + formats).sorted { $0.name < $1.name }
    }
}
