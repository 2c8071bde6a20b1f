// swift-tools-version: 6.2
import PackageDescription

// Each module is a target and a folder; dependencies point downwards only (docs/ARCHITECTURE.md).
let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error), .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// For modules whose code the tests run most: without optimization a third of the tests' processor time is generic code.
/// What they assert is checked all the same. For a debugger: `VITRINE_WITHOUT_OPTIMIZATION=1 swift build`.
let optimized: [SwiftSetting] =
    Context.environment["VITRINE_WITHOUT_OPTIMIZATION"] != nil
    ? strict : strict + [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))]

/// For large modules of many small operations, pages and commands: a release build compiles only the files that
/// changed. Calls between their files are not inlined, which nothing on a hot path needs.
let filewise: [SwiftSetting] =
    strict + [
        .unsafeFlags(
            ["-no-whole-module-optimization", "-enable-batch-mode", "-incremental"], .when(configuration: .release))
    ]

func module(
    _ name: String, dependencies: [Target.Dependency] = [], settings: [SwiftSetting] = strict,
    plugins: [Target.PluginUsage] = []
) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings, plugins: plugins)
}

/// Resolves all symbols at the start, so that the table of their addresses can't be overwritten.
let bindNow = LinkerSetting.unsafeFlags(["-Xlinker", "-z", "-Xlinker", "relro", "-Xlinker", "-z", "-Xlinker", "now"])

let withoutPacks = Context.environment["VITRINE_WITHOUT_PACKS"] != nil

/// A pack repeats the folders of the core.
func pack(_ name: String, path: String? = nil) -> Target {
    .target(
        name: name,
        dependencies: [
            "API", "Admin", "CommandKit", "Domain", "EventLoop", "Fetch", "HTTP", "Localization", "Markup",
            "Operations", "Platform", "Postgres", "Store", "Tasks",
        ],
        path: path ?? "Sources/Packs/\(name)", exclude: path == nil ? [] : ["content-types"],
        swiftSettings: filewise, plugins: ["EmbedResources"])
}

func tests(
    _ name: String, dependencies: [Target.Dependency], linkerSettings: [LinkerSetting] = []
) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: strict, linkerSettings: linkerSettings)
}

let package = Package(
    name: "vitrine",
    products: [.executable(name: "vitrine", targets: ["vitrine"])],
    targets: [
        // C libraries
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
        // librsvg draws with cairo. Its own pkg-config flags contain -pthread, which SwiftPM rejects with a warning.
        .systemLibrary(name: "CRsvg", pkgConfig: "cairo", providers: [.apt(["librsvg2-dev"])]),
        .systemLibrary(name: "CSeccomp", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),
        .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CBrotli", pkgConfig: "libbrotlienc", providers: [.apt(["libbrotli-dev"])]),
        .target(name: "CICU", linkerSettings: [.linkedLibrary("icui18n"), .linkedLibrary("icuuc")]),
        .systemLibrary(name: "CQRCode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),

        // Language
        module("Localization", dependencies: ["CICU"]),

        // Foundations
        module("EventLoop", dependencies: ["CLinux"], settings: optimized),
        module(
            "Platform", dependencies: ["CCrypto", "CSodium", "CSystem", "Localization"], settings: optimized),
        module(
            "HTTP", dependencies: ["CBrotli", "CMicrohttpd", "CLinux", "CZlib", "EventLoop"], settings: optimized),
        module("Postgres", dependencies: ["CPostgres", "CLinux", "EventLoop"], settings: optimized),
        module("Diff", settings: optimized),
        module(
            "Markup", dependencies: ["CGumbo", "CCmark", "CICU", "CQRCode", "CXML2", "Diff", "Localization"],
            settings: optimized),
        module("Fetch", dependencies: ["CCurl"]),
        module("Domain", dependencies: ["CICU", "Diff", "Localization"], settings: optimized),

        // SQL and JSON files that become a part of the program. SwiftPM's own way lists each byte as a number, which took
        // the compiler a minute and a half for the core alone.
        .executableTarget(name: "embed-resources", path: "Plugins/embed-resources"),
        .plugin(name: "EmbedResources", capability: .buildTool(), dependencies: ["embed-resources"]),

        // Database access
        module(
            "Store", dependencies: ["Domain", "Localization", "EventLoop", "Postgres"],
            plugins: ["EmbedResources"]),

        // Operations
        module(
            "Operations",
            dependencies: ["Domain", "EventLoop", "Fetch", "Localization", "Markup", "Platform", "Store"],
            settings: filewise),

        // Interfaces
        module(
            "Admin",
            dependencies: ["Diff", "Domain", "HTTP", "Localization", "Markup", "Operations", "Platform", "Store"],
            settings: filewise),
        module(
            "API",
            dependencies: ["Domain", "HTTP", "Localization", "Markup", "Operations", "Platform", "Store"]),
        module(
            "Tasks",
            dependencies: ["Domain", "EventLoop", "Localization", "Operations", "Platform", "Store"]),

        // Commands
        module(
            "CommandKit",
            dependencies: ["Domain", "EventLoop", "Fetch", "Operations", "Platform", "Postgres", "Store"]),

        // Packs
        pack("Places"),
        pack("Routes"),
        pack("Lists"),
        // The core is complete without them: VITRINE_WITHOUT_PACKS=1 swift build --product vitrine
        .target(
            name: "Packs", dependencies: withoutPacks ? ["Store"] : ["Store", "Places", "Routes", "Lists"],
            path: "Sources/Packs/\(withoutPacks ? "None" : "Registered")", swiftSettings: strict),

        // The program
        .executableTarget(
            name: "vitrine",
            dependencies: [
                "API", "Admin", "CommandKit", "Domain", "EventLoop", "Fetch", "HTTP", "Localization", "Markup",
                "Operations", "Packs", "Platform", "Postgres", "Store", "Tasks",
            ],
            swiftSettings: filewise,
            // With glibc's allocator a thirteenth of a request's cost is allocation; with this one, half of that.
            linkerSettings: [.linkedLibrary("jemalloc"), bindNow]),

        // The only program that decodes images; the daemon talks to it through pipes.
        .executableTarget(
            name: "vitrine-media", dependencies: ["CGObject", "CRsvg", "CSeccomp", "CXML2"],
            cSettings: [
                .define("_GNU_SOURCE"),
                .unsafeFlags(["-I/usr/include/librsvg-2.0", "-I/usr/include/gdk-pixbuf-2.0"]),
            ],
            linkerSettings: [
                .linkedLibrary("vips"), .linkedLibrary("rsvg-2"), .linkedLibrary("seccomp"), .linkedLibrary("m"),
                bindNow,
            ]),

        // Tests
        .target(
            name: "TestBasics", dependencies: ["CGumbo", "EventLoop", "Platform", "Postgres"], path: "Tests/TestBasics",
            swiftSettings: strict),
        // The example of docs/how-to/write-a-pack.md
        pack("Events", path: "Examples/events"),
        .target(
            name: "TestSupport",
            dependencies: [
                "Domain", "EventLoop", "HTTP", "Operations", "Packs", "Platform", "Postgres", "Routes", "Store",
                "TestBasics",
            ],
            path: "Tests/TestSupport", swiftSettings: strict),
        .executableTarget(
            name: "platform-probe", dependencies: ["CSystem", "Platform"], path: "Tests/PlatformTests/Probe",
            swiftSettings: strict),
        .testTarget(
            name: "PlatformTests", dependencies: ["CSystem", "Platform", "TestBasics", "platform-probe"],
            exclude: ["Probe"],
            swiftSettings: strict),
        tests("EventLoopTests", dependencies: ["EventLoop"]),
        tests("HTTPTests", dependencies: ["CLinux", "EventLoop", "HTTP", "TestBasics"]),
        tests("PostgresTests", dependencies: ["TestBasics", "CLinux", "EventLoop", "Postgres"]),
        tests("LocalizationTests", dependencies: ["Localization"]),
        tests("DomainTests", dependencies: ["Diff", "Domain", "TestBasics"]),
        tests(
            "EventsTests",
            dependencies: [
                "API", "Domain", "Events", "HTTP", "Operations", "Platform", "Store", "TestBasics", "TestSupport",
            ]),
        tests("RoutesTests", dependencies: ["Domain", "Routes", "TestBasics"]),
        tests("FetchTests", dependencies: ["EventLoop", "Fetch", "HTTP"]),
        tests(
            "WebhooksTests",
            dependencies: [
                "Domain", "EventLoop", "Fetch", "HTTP", "Operations", "Platform", "Postgres", "Store", "Tasks",
                "TestBasics", "TestSupport",
            ]),
        tests(
            "ClassifiersTests",
            dependencies: [
                "Domain", "EventLoop", "Fetch", "HTTP", "Operations", "Platform", "Postgres", "Store", "Tasks",
                "TestBasics", "TestSupport",
            ]),
        tests(
            "LibraryTests",
            dependencies: [
                "Domain", "EventLoop", "Fetch", "HTTP", "Lists", "Operations", "Platform", "Postgres", "Store",
                "TestBasics", "TestSupport", "platform-probe", "vitrine-media",
            ]),
        tests(
            "CatalogsTests",
            dependencies: [
                "Domain", "EventLoop", "Fetch", "HTTP", "Lists", "Operations", "Platform", "Postgres", "Store",
                "TestBasics", "TestSupport",
            ]),
        tests(
            "MailTests",
            dependencies: [
                "Domain", "EventLoop", "Fetch", "Operations", "Platform", "Postgres", "Store", "Tasks", "TestSupport",
            ]),
        tests("MarkupTests", dependencies: ["CXML2", "Markup", "TestBasics"]),
        tests(
            "StoreTests",
            dependencies: [
                "Domain", "EventLoop", "Operations", "Platform", "Postgres", "Routes", "Store", "TestBasics",
                "TestSupport",
            ]),
        tests(
            "EditorialTests",
            dependencies: ["Domain", "Operations", "Places", "Postgres", "Store", "TestBasics", "TestSupport"]),
        tests(
            "PublishingTests",
            dependencies: [
                "Domain", "Lists", "Operations", "Platform", "Postgres", "Routes", "Store", "TestBasics", "TestSupport",
            ]),
        tests(
            "AdminTests",
            dependencies: [
                "Admin", "Domain", "EventLoop", "Fetch", "HTTP", "Lists", "Markup", "Operations", "Packs", "Places",
                "Platform", "Postgres", "Routes", "Store", "TestSupport",
            ]),
        tests(
            "APITests",
            dependencies: [
                "API", "CBrotli", "CZlib", "Domain", "EventLoop", "HTTP", "Lists", "Markup", "Operations", "Places",
                "Platform", "Postgres", "Routes", "Store", "TestBasics", "TestSupport",
            ],
            linkerSettings: [.linkedLibrary("brotlidec")]),
        tests(
            "TasksTests",
            dependencies: [
                "Domain", "EventLoop", "Operations", "Platform", "Postgres", "Store", "Tasks", "TestBasics",
                "TestSupport",
            ]),
        tests(
            "CommandTests",
            dependencies: [
                "CommandKit", "Domain", "HTTP", "Lists", "Operations", "Places", "Platform", "Postgres", "Routes",
                "Store", "Tasks", "TestSupport", "vitrine", "vitrine-media",
            ]),
        // They search all files of the project: without optimization, for ten seconds.
        .testTarget(
            name: "ArchitectureTests", dependencies: ["Domain"], swiftSettings: strict + [.unsafeFlags(["-O"])]),
    ],
    swiftLanguageModes: [.v6])

// `make check` builds only what tests without a database need.
if let checked = Context.environment["VITRINE_CHECK"] {
    var needed: Set<String> = []
    var pending = checked.split(separator: " ").map(String.init)
    while let name = pending.popLast() {
        guard needed.insert(name).inserted, let target = package.targets.first(where: { $0.name == name }) else {
            continue
        }
        for case .byNameItem(let name, _) in target.dependencies { pending.append(name) }
    }
    package.targets.removeAll { !needed.contains($0.name) }
    package.products = []
}
