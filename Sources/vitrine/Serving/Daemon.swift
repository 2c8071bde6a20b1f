// Runs a daemon: composes all modules, serves requests, runs background work, and drains on shutdown.
import API
import Admin
import CommandKit
import Domain
import EventLoop
import Fetch
import FoundationEssentials
import HTTP
import Operations
import Platform
import Postgres
import Store
import Tasks

final class Daemon: Sendable {
    private let settings: Settings
    private let log: Logger
    private let loops: [EventLoop]
    private let clients: Clients
    private let server: Server
    private let worker: Worker
    private let backgroundLoops: [any BackgroundLoop]
    private let site: Site
    let services: Services
    private let database: Database

    init(_ settings: Settings, url: String, rules: ContentRules, log: Logger) throws {
        (self.settings, self.log) = (settings, log)
        loops = (1...settings.loops).map { EventLoop(name: "loop-\($0)") }
        clients = Clients(settings, url: url, loops: loops, log: log)
        let library = try MediaLibrary(settings)
        let packs = try settings.enabledPacks()
        database = clients.database(packs: packs, library)
        services = Services(database: database, content: rules, library: library, settings: settings)
        let webhooks = try WebhookRules(settings)
        let statusKey = webhooks.linkKey("status")
        let mail = try MailRules(settings, statusKey: statusKey)
        let secondFactor = try SecondFactorRules(
            box: webhooks.box(for: SecondFactorRules.purpose), roles: settings.login.secondFactorRoles,
            publicURL: settings.publicURL)
        let environment = PackDaemon.Environment(
            settings: settings, database: database, content: rules, log: log, loop: loops[0])
        let ofPacks = try packs.parts(PackDaemon.self).map { try $0.prepare(environment) }
        let folders = settings.directories
        let languages = try PageLanguages.load(settings, log)
        let statics = try StaticFiles(directory: folders.staticFiles)
        let schema = Schema(client: clients.daemon, roles: settings.roles, packs: packs)
        let (identities, fingerprint) = (database.identities, try webhooks.fingerprint())
        let background = BackgroundMetrics(database: database, log: log)
        let poll: Int = settings.tasks.poll.wholeMilliseconds
        let classifier = try ClassifierDaemon(services, settings, log, pollMilliseconds: poll, loop: loops[0])
        let health = Health(settings: settings, background: background, classifier: classifier?.metrics) {
            try await Readiness.ofDaemon(
                schema, roles: settings.rolesOfLogin, identities: identities, fingerprint: fingerprint)
        }
        site = Site(
            admin: AdminSite(
                context: AdminContext(
                    services: services, languages: languages, statics: statics, log: log,
                    environment: settings.environment.rawValue, publicURL: settings.publicURL, webhooks: webhooks,
                    packServices: PackServices(ofPacks.flatMap(\.services)), mail: mail,
                    secondFactor: secondFactor, statusKey: statusKey, itemURL: settings.delivery.itemURL,
                    maps: settings.maps)),
            api: APISite(
                APIContext(
                    services: services, reads: clients.reads.database(packs: packs, listens: true), rules: rules,
                    log: log, publicURL: settings.publicURL, environment: settings.environment.rawValue,
                    submissionsPerMinute: settings.intake.ratePerMinute ?? 0,
                    reportsPerMinute: settings.intake.reportLimits, library: library,
                    packServices: try packs.services(settings), statusKey: statusKey,
                    delivery: DeliveryRules(settings.delivery, key: webhooks.linkKey("syndication")),
                    examples: try APIExamples.load(templates: folders.templates),
                    schemas: try ResponseSchemas.load(templates: folders.templates))),
            media: MediaResponses(files: library.files, log: log), health: health, wellKnown: WellKnown(settings))
        let configuration = ServerConfiguration(settings, site)
        server = Server(configuration: configuration, loops: loops) { [site] in await site.respond($0) }
        worker = Worker(services, rules, settings, background.finished, log, pollMilliseconds: poll, loop: loops[0])
        backgroundLoops =
            [
                OutboxDispatcher(
                    database, mail, webhooks, background.finished, log, pollMilliseconds: poll, loop: loops[0]),
                HeartbeatLoop(database: database, log: log, loop: loops[0]),
                ExternalImageLoop(
                    database, rules, library, try ExternalImageRules(settings), log, loop: loops[0]),
            ] + [classifier?.loop].compactMap { $0 } + ofPacks.flatMap(\.loops)
    }

    /// Starts serving and background work without waiting for the database: until it is available, responses are 503 (R30).
    func start(on listening: ListeningSocket) throws {
        for loop in loops { loop.start() }
        clients.start()
        try server.start(on: listening)
        site.health.observe(server, site.api)
        worker.start()
        for loop in backgroundLoops { loop.start() }
        log.info("listening", ["url": .text(settings.publicURL), "port": .integer(server.port)])
    }

    /// Completes requests in flight within the drain time, stops background work and closes all connections.
    func stop() async {
        log.info("stopping", ["in_flight": .integer(server.inFlight)])
        await withTaskGroup { group in
            for loop in backgroundLoops { group.addTask { await loop.stop() } }
            await server.drain(grace: settings.drain)
            await worker.stop()
        }
        await clients.close()
        log.info("stopped")
    }
}
