// A database, a source on this machine, and the works that look things up there.
import Catalogs
import Domain
import Fetch
import FoundationEssentials
import Glibc
import Platform
import Store
import TestSupport

struct SourceWorld: Sendable {
    /// A key that must be seen nowhere but in the questions.
    static let key = "canary/9f2c+KEY=="

    let shelf: Shelf
    let source: SourceServer
    let rules: CatalogRules
    let client: FetchClient
    let log: Logger
    private let logFile: String

    /// Everything that was logged.
    var logged: String { String(decoding: FileManager.default.contents(atPath: logFile) ?? Data(), as: UTF8.self) }

    static func with(
        fresh: Duration = .seconds(3600), perMinute: Int = 1000, deadline: Duration = .seconds(8),
        answerBytes: Int = 1 << 20, hasKey: Bool = true, port: Int? = nil, reachable: Bool = true,
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
                "google_books": .init(address: base + "/books", key: key),
                "tmdb": .init(address: base + "/tmdb", key: key), "yelp": .init(address: base + "/yelp/", key: key),
                "lastfm": .init(address: base + "/songs/", key: key),
            ], fresh: fresh, perMinute: perMinute, deadline: deadline, answerBytes: answerBytes, allowsHTTP: true,
            allowPrivate: reachable ? ["127.0.0.1:\(port)"] : [])
        let shelf = try await Shelf.make()
        let rules = try CatalogRules(settings, kinds: kinds ?? shelf.kinds)
        let logFile = "/tmp/vitrine-log-\(UUIDv7.make().uuidString)"
        let descriptor = open(logFile, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        defer {
            close(descriptor)
            unlink(logFile)
        }
        let world = SourceWorld(
            shelf: shelf, source: source, rules: rules, client: FetchClient(policy: rules.policy, threads: 2),
            log: Logger(level: .debug, sink: LogSink(descriptor: descriptor)), logFile: logFile)
        do {
            try await body(world)
            await source.stop()
        } catch {
            await source.stop()
            throw error
        }
    }

    var lookUp: SearchCatalog {
        SearchCatalog(database: shelf.test.database, rules: rules, client: client, log: log)
    }

    var refresh: RefreshCatalog {
        RefreshCatalog(database: shelf.test.database, rules: rules, client: client, log: log)
    }

    func find(_ kind: String, _ search: String, _ values: [String: String] = [:]) async throws -> CatalogFinding {
        try await lookUp(
            CatalogQuery(kind: kind, search: search, values: values), by: TestDatabase.administrator)
    }
}
