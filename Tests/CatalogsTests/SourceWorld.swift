// A database, a local source server and the operations that use them.
import Domain
import Fetch
import FoundationEssentials
import Glibc
import Lists
import Platform
import Store
import TestSupport

struct SourceWorld: Sendable {
    /// A key that must appear only in requests.
    static let key = "canary/9f2c+KEY=="

    let fixture: CatalogFixture
    let source: SourceServer
    let rules: CatalogRules
    let client: FetchClient
    let log: Logger
    private let logFile: String

    /// The complete log.
    var logged: String { String(decoding: FileManager.default.contents(atPath: logFile) ?? Data(), as: UTF8.self) }

    static func with(
        fresh: Duration = .seconds(3600), perMinute: Int = 1000, deadline: Duration = .seconds(8),
        maxResponseBytes: Int = 1 << 20, hasKey: Bool = true, port: Int? = nil, reachable: Bool = true,
        kinds: CatalogKinds? = nil,
        _ body: @Sendable (SourceWorld) async throws -> Void
    ) async throws {
        let source = SourceServer()
        let own = try source.start()
        let port = port ?? own
        let key = hasKey ? Secret(key) : nil
        let base = "http://127.0.0.1:\(port)"
        let settings = Settings.Catalogs(
            sources: [
                "google_books": .init(url: base + "/books", key: key),
                "tmdb": .init(url: base + "/tmdb", key: key), "yelp": .init(url: base + "/yelp/", key: key),
                "lastfm": .init(url: base + "/songs/", key: key),
            ], fresh: fresh, perMinute: perMinute, deadline: deadline, maxResponseBytes: maxResponseBytes,
            allowsHTTP: true,
            allowPrivate: reachable ? ["127.0.0.1:\(port)"] : [])
        let fixture = try await CatalogFixture.make()
        let rules = try CatalogRules(settings, kinds: kinds ?? fixture.kinds)
        let logFile = "/tmp/vitrine-log-\(UUIDv7.make().uuidString)"
        let descriptor = open(logFile, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        defer {
            close(descriptor)
            unlink(logFile)
        }
        let world = SourceWorld(
            fixture: fixture, source: source, rules: rules, client: FetchClient(policy: rules.policy, threads: 2),
            log: Logger(level: .debug, sink: LogSink(descriptor: descriptor)), logFile: logFile)
        do {
            try await body(world)
            await source.stop()
        } catch {
            await source.stop()
            throw error
        }
    }

    var searchCatalog: SearchCatalog {
        SearchCatalog(database: fixture.test.database, rules: rules, client: client, log: log)
    }

    var refresh: RefreshCatalog {
        RefreshCatalog(database: fixture.test.database, rules: rules, client: client, log: log)
    }

    func find(_ kind: String, _ search: String, _ values: [String: String] = [:]) async throws -> CatalogSearchResult {
        try await searchCatalog(
            CatalogQuery(kind: kind, search: search, values: values), by: TestDatabase.administrator)
    }
}
