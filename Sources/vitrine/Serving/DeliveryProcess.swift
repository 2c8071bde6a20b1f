// Serves only the delivery API, from the read tables of the primary or a standby.
import API
import CommandKit
import Domain
import EventLoop
import HTTP
import Operations
import Platform
import Store

final class DeliveryProcess: Sendable {
    private let settings: Settings
    private let log: Logger
    private let loops: [EventLoop]
    private let clients: ReadClients
    private let server: Server
    private let site: Site
    private let keyRules: WebhookRules
    private let reads: ReadDatabase

    init(_ settings: Settings, url: String, rules: ContentRules, log: Logger) throws {
        self.settings = settings
        self.log = log
        loops = (1...settings.loops).map { EventLoop(name: "loop-\($0)") }
        let packs = try settings.enabledPacks()
        clients = ReadClients(settings, url: url, loops: loops, diagnosis: DatabaseDiagnosis(log: log))
        // A standby does not support LISTEN, and the database may be promoted or demoted while this runs.
        reads = clients.database(packs: packs, listens: false)
        keyRules = try WebhookRules(settings)
        let library = try MediaLibrary(settings)
        let lag = settings.delivery.lag
        site = Site(
            admin: nil,
            api: APISite(
                APIContext(
                    services: nil, reads: reads, rules: rules, log: log, publicURL: settings.publicURL,
                    environment: settings.environment.rawValue, submissionsPerMinute: 0,
                    library: library, packServices: try packs.services(settings),
                    delivery: DeliveryRules(
                        settings.delivery, key: keyRules.linkKey("syndication")),
                    examples: try APIExamples.load(templates: settings.directories.templates),
                    schemas: try ResponseSchemas.load(templates: settings.directories.templates),
                    quotas: Quotas(settings.limits))),
            media: MediaResponses(files: library.files, log: log),
            health: Health(settings: settings, roles: settings.roles.ofDelivery) { [reads] in
                try await Readiness.ofDelivery(reads, lag: lag)
            },
            wellKnown: nil)
        server = Server(
            configuration: ServerConfiguration(settings, site), loops: loops,
            handler: { [site] in await site.respond($0) })
    }

    /// Starts listening without waiting for the database: until it is available, responses are 503 (R30).
    func start(on listening: ListeningSocket) throws {
        for loop in loops { loop.start() }
        clients.start()
        try server.start(on: listening)
        site.health.observe(server, site.api)
        log.info("listening", ["url": .text(settings.publicURL), "port": .integer(server.port)])
    }

    /// Throws `ConfigurationError` if the key is another one than the database expects: it would refuse all syndication
    /// URLs. Without a key, or while the database is unavailable, there is nothing to compare.
    func verifyKey() async throws {
        guard keyRules.hasKey else { return }
        do {
            try await VerifyKey(reads.identities, rules: keyRules)()
        } catch let error as ConfigurationError {
            throw error
        } catch {
            log.warning("the key can't be compared with the database", ["error": .text("\(error)")])
        }
    }

    /// Completes requests in flight within the drain time and closes all connections.
    func stop() async {
        log.info("stopping", ["in_flight": .integer(server.inFlight)])
        await server.drain(grace: settings.drain)
        await clients.close()
        log.info("stopped")
    }
}
