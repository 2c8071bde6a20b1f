// swift-tools-version: 6.2
import PackageDescription

// The rooms of the house (docs/HOUSE.md): each target is one room, and its dependencies are the doors it may use.
let strict: [SwiftSetting] = [.treatAllWarnings(as: .error), .enableUpcomingFeature("NonisolatedNonsendingByDefault")]

func room(_ name: String, _ doors: [Target.Dependency] = [], _ plugins: [Resource] = []) -> Target {
    .target(name: name, dependencies: doors, resources: plugins, swiftSettings: strict)
}

func tests(_ name: String, _ doors: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: doors, swiftSettings: strict)
}

let package = Package(
    name: "vitrine",
    products: [.executable(name: "vitrine", targets: ["vitrine"])],
    targets: [
        // 0 rock: C libraries
        .target(name: "CLinux", cSettings: [.define("_GNU_SOURCE")]),
        .target(name: "CSystem", cSettings: [.define("_GNU_SOURCE")]),
        .target(
            name: "CMicrohttpd", cSettings: [.define("_GNU_SOURCE")], linkerSettings: [.linkedLibrary("microhttpd")]),
        .target(name: "CPostgres", cSettings: [.define("_GNU_SOURCE")]),
        .systemLibrary(name: "CXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
        .target(name: "CGumbo", linkerSettings: [.linkedLibrary("gumbo")]),
        .systemLibrary(name: "CCmark", providers: [.apt(["libcmark-gfm-dev"])]),
        .target(name: "CCurl", linkerSettings: [.linkedLibrary("curl")]),
        .systemLibrary(
            name: "CGObject", pkgConfig: "gobject-2.0", providers: [.apt(["libvips-dev"])]),
        .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .target(name: "CICU", linkerSettings: [.linkedLibrary("icui18n"), .linkedLibrary("icuuc")]),
        .systemLibrary(name: "CQRCode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),

        // 1 ground
        room("EventLoop", ["CLinux"]),
        room("Platform", ["CCrypto", "CSodium", "CSystem"]),
        room("HTTP", ["CMicrohttpd", "CLinux", "EventLoop"]),
        room("Postgres", ["CPostgres", "CLinux", "EventLoop"]),
        room("Markup", ["CGumbo", "CCmark", "CICU", "CQRCode", "CXML2"]),
        room("Fetch", ["CCurl"]),
        room("Domain"),

        // 2 memory
        room(
            "Store", ["Domain", "Postgres"],
            [.embedInCode("Migrations"), .embedInCode("Projections"), .embedInCode("Seed")]),

        // 3 work
        room("Intake", ["Domain", "Store", "Platform", "Markup"]),
        room("Review", ["Domain", "EventLoop", "Store", "Platform", "Markup"]),
        room("Editorial", ["Domain", "Store", "Platform", "Markup"]),
        room("Publishing", ["Domain", "Store", "Platform"]),
        room("Accounts", ["Domain", "Store", "Platform", "Markup"]),
        room("Webhooks", ["Domain", "Store", "Platform", "Fetch"]),
        room("Mail", ["Domain", "Store", "Platform", "Fetch"]),
        room("Library", ["Domain", "Store", "Platform", "Markup", "Fetch"]),
        room("Catalogues", ["Domain", "Store", "Platform", "Markup", "Fetch"]),

        // 4 faces
        room(
            "Admin",
            [
                "Domain", "HTTP", "Markup", "Platform", "Store", "Intake", "Review", "Editorial", "Publishing",
                "Accounts", "Webhooks", "Library", "Catalogues", "Mail",
            ]),
        room("API", ["Domain", "HTTP", "Markup", "Platform", "Store", "Intake", "Review", "Accounts", "Library"]),
        room(
            "Jobs",
            [
                "Domain", "EventLoop", "Platform", "Store", "Review", "Publishing", "Accounts", "Webhooks",
                "Catalogues",
                "Mail",
            ]),

        // roof
        .executableTarget(
            name: "vitrine",
            dependencies: [
                "EventLoop", "Platform", "HTTP", "Postgres", "Markup", "Fetch", "Domain", "Store", "Intake", "Review",
                "Editorial", "Publishing", "Accounts", "Webhooks", "Library", "Catalogues", "Mail", "Admin", "API",
                "Jobs",
            ],
            swiftSettings: strict,
            // With glibc's allocator a thirteenth of a request's cost is allocation; with this one, half of that.
            linkerSettings: [.linkedLibrary("jemalloc")]),

        // beside the house: the only program that decodes pictures; the daemon talks to it through pipes
        .executableTarget(
            name: "vitrine-media", dependencies: ["CGObject"], cSettings: [.define("_GNU_SOURCE")],
            linkerSettings: [.linkedLibrary("vips")]),

        // tests
        .target(
            name: "TestSupport",
            dependencies: [
                "Editorial", "Publishing", "Domain", "EventLoop", "Intake", "Library", "Platform", "Postgres", "Store",
            ],
            path: "Tests/TestSupport", swiftSettings: strict),
        .executableTarget(
            name: "platform-probe", dependencies: ["CSystem", "Platform"], path: "Tests/PlatformTests/Probe",
            swiftSettings: strict),
        .testTarget(
            name: "PlatformTests", dependencies: ["CSystem", "Platform", "TestSupport", "platform-probe"],
            exclude: ["Probe"],
            swiftSettings: strict),
        tests("EventLoopTests", ["EventLoop"]),
        tests("HTTPTests", ["CLinux", "EventLoop", "HTTP"]),
        tests("PostgresTests", ["CLinux", "EventLoop", "Postgres", "TestSupport"]),
        tests("DomainTests", ["Domain"]),
        tests("FetchTests", ["EventLoop", "Fetch", "HTTP"]),
        tests(
            "WebhooksTests",
            [
                "Domain", "Editorial", "EventLoop", "Fetch", "HTTP", "Jobs", "Platform", "Postgres", "Publishing",
                "Store",
                "TestSupport", "Webhooks",
            ]),
        tests(
            "LibraryTests",
            [
                "Domain", "Editorial", "EventLoop", "Fetch", "HTTP", "Library", "Platform", "Postgres", "Publishing",
                "Store", "TestSupport", "vitrine-media", "platform-probe",
            ]),
        tests(
            "CataloguesTests",
            [
                "API", "Admin", "Catalogues", "Domain", "Editorial", "EventLoop", "Fetch", "HTTP", "Platform",
                "Postgres",
                "Publishing", "Store", "TestSupport",
            ]),
        tests(
            "MailTests",
            [
                "Accounts", "Domain", "Editorial", "EventLoop", "Fetch", "Intake", "Jobs", "Mail", "Platform",
                "Postgres",
                "Review",
                "Publishing", "Store", "TestSupport",
            ]),
        tests("MarkupTests", ["CGumbo", "CXML2", "Markup"]),
        tests(
            "StoreTests",
            ["Accounts", "Domain", "Editorial", "Intake", "Postgres", "Publishing", "Review", "Store", "TestSupport"]),
        tests("EditorialTests", ["Domain", "Editorial", "Postgres", "Publishing", "Store", "TestSupport"]),
        tests(
            "PublishingTests",
            [
                "Domain", "Editorial", "Intake", "Library", "Platform", "Postgres", "Publishing", "Review", "Store",
                "TestSupport",
            ]),
        tests(
            "AdminTests",
            [
                "Accounts", "Admin", "Domain", "Editorial", "EventLoop", "HTTP", "Intake", "Markup", "Platform",
                "Postgres",
                "Publishing", "Review", "Store", "TestSupport", "Webhooks", "Fetch", "Catalogues", "Mail",
            ]),
        tests(
            "APITests",
            [
                "API", "Accounts", "Domain", "Editorial", "EventLoop", "HTTP", "Intake", "Markup", "Platform",
                "Postgres",
                "Publishing", "Review", "Store", "TestSupport",
            ]),
        tests(
            "JobsTests",
            [
                "Domain", "Editorial", "EventLoop", "Jobs", "Platform", "Postgres", "Publishing", "Store",
                "TestSupport",
            ]),
        .testTarget(name: "HouseTests", swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6])
