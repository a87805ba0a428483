// swift-tools-version: 6.0
import PackageDescription

// The dependency table of ARCHITECTURE.md, in the form that SwiftPM enforces: an undeclared import does not compile.

/// A Debian library: a module map in `Sources/<name>` and the package that brings the headers.
func systemModule(_ name: String, pkgConfig: String, apt: String) -> Target {
    .systemLibrary(name: name, path: "Sources/System/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt])])
}

func module(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource]? = nil) -> Target {
    .target(name: name, dependencies: dependencies, resources: resources)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: "\(name)Tests", dependencies: dependencies + ["TestSupport"])
}

let package = Package(
    name: "offline-batch",
    products: [
        .executable(name: "offline-batch", targets: ["offline-batch"]),
        .executable(name: "demo-portal", targets: ["demo-portal"]),
    ],
    targets: [
        systemModule("CLibcurl", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev"),
        systemModule("CYAML", pkgConfig: "yaml-0.1", apt: "libyaml-dev"),
        systemModule("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
        systemModule("CGEOS", pkgConfig: "geos", apt: "libgeos-dev"),
        systemModule("CPROJ", pkgConfig: "proj", apt: "libproj-dev"),
        systemModule("CArchive", pkgConfig: "libarchive", apt: "libarchive-dev"),
        systemModule("CCrypto", pkgConfig: "libcrypto", apt: "libssl-dev"),
        systemModule("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),
        systemModule("CExpat", pkgConfig: "expat", apt: "libexpat1-dev"),
        systemModule("CLerc", pkgConfig: "Lerc", apt: "liblerc-dev"),
        systemModule("CMicrohttpd", pkgConfig: "libmicrohttpd", apt: "libmicrohttpd-dev"),
        systemModule("CCairo", pkgConfig: "cairo", apt: "libcairo2-dev"),
        systemModule("CJPEG", pkgConfig: "libjpeg", apt: "libjpeg62-turbo-dev"),
        .target(
            name: "CSimdJSON", path: "Sources/System/CSimdJSON",
            linkerSettings: [.linkedLibrary("simdjson"), .linkedLibrary("stdc++")]),

        module("Basics", ["CSimdJSON", "CCrypto", "CSQLite"]),
        module("Geography", ["Basics", "CGEOS", "CPROJ"]),
        module("Manifest", ["Basics", "Geography", "CYAML"]),
        module("Transport", ["Basics", "CLibcurl"]),
        module("ArcGIS", ["Basics", "Geography", "Transport"]),
        module("Formats", ["Basics", "Geography", "CArchive", "CZlib", "CExpat", "CLerc"]),
        module("Planning", ["Basics", "Geography", "Manifest", "ArcGIS"]),
        module("Scheduling", ["Basics", "Planning"]),
        module("Execution", ["Basics", "Geography", "Scheduling", "Planning", "Formats", "Packaging", "ArcGIS", "Transport"]),
        module("Packaging", ["Basics", "Geography", "ArcGIS", "Formats", "Planning"]),
        module("Reporting", ["Basics", "Geography", "Planning", "Manifest", "ArcGIS", "Transport"]),
        module(
            "OfflineBatch",
            [
                "Basics", "Geography", "Manifest", "Transport", "ArcGIS", "Formats", "Planning", "Scheduling", "Execution",
                "Packaging", "Reporting",
            ]),
        .executableTarget(name: "offline-batch", dependencies: ["OfflineBatch"], path: "Sources/offline-batch"),
        module("DemoPortal", ["Basics", "Geography", "Formats", "CMicrohttpd", "CCairo", "CJPEG", "CYAML", "CZlib"]),
        .executableTarget(name: "demo-portal", dependencies: ["DemoPortal"], path: "Sources/demo-portal"),
        .target(name: "TestSupport", dependencies: ["Basics", "Transport", "DemoPortal"], path: "Tests/TestSupport"),

        tests("Basics", ["Basics"]),
        tests("Geography", ["Geography", "Basics"]),
        tests("Manifest", ["Manifest", "Geography", "Basics"]),
        // What the transport holds after thousands of requests shows in a process of its own.
        .executableTarget(name: "transport-endurance", dependencies: ["Transport"], path: "Tests/transport-endurance"),
        tests("Transport", ["Transport", "Basics", "transport-endurance"]),
        tests("ArcGIS", ["ArcGIS", "Transport", "Geography", "Basics"]),
        tests("Formats", ["Formats", "Geography", "Basics"]),
        tests("Planning", ["Planning", "ArcGIS", "Manifest", "Geography", "Transport", "Basics"]),
        tests("Scheduling", ["Scheduling", "Planning", "Basics"]),
        tests(
            "Execution",
            ["Execution", "Packaging", "Scheduling", "Planning", "Formats", "ArcGIS", "Transport", "Geography", "Basics"]),
        tests("Packaging", ["Packaging", "Planning", "Manifest", "ArcGIS", "Formats", "Geography", "Basics"]),
        tests("Reporting", ["Reporting", "Planning", "Manifest", "ArcGIS", "Transport", "Geography", "Basics"]),
        tests("DemoPortal", ["DemoPortal", "Formats", "Geography", "Basics"]),
        tests("OfflineBatch", ["OfflineBatch", "Reporting", "Planning", "Manifest", "ArcGIS", "Geography", "Basics"]),
        // The executables, so that they are built: these tests run the programs.
        tests("EndToEnd", ["offline-batch", "demo-portal", "Basics"]),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)
