// Checks that the key and the media store of a daemon belong to its database.
import CommandKit
import Domain
import EventLoop
import HTTP
import Operations
import Platform
import Postgres
import Store
import Synchronization

/// Runs before a daemon starts. The first daemon of a database creates what is missing and records it.
final class StartCheck: Sendable {
    private static let pause = Duration.seconds(2)
    private static let actor = Actor(kind: .system, name: "system")

    private let settings: Settings
    private let url: String
    private let log: Logger
    private let loop = EventLoop(name: "start")
    private let refusal = Mutex<ConfigurationError?>(nil)
    /// Why the check has not passed yet.
    private let problem = Mutex("the database is being checked")

    init(_ settings: Settings, url: String, log: Logger) {
        self.settings = settings
        self.url = url
        self.log = log
        loop.start()
    }

    /// Throws `ConfigurationError` if the daemon must not start. While the database is unavailable, a daemon with a key
    /// starts (R30), and a later refusal requests the shutdown; one without a key waits, because it can't know whether the
    /// database has a key already. Until then the operational endpoints are served; `onWait` is called when it waits.
    func start(on listening: ListeningSocket, _ shutdown: Shutdown, onWait: () -> Void = {}) async throws {
        let hasKey = try WebhookRules(settings).hasKey
        let server = StartServer(settings, loop: loop) { [self] in problem.withLock { $0 } }
        try server.start(on: listening)
        let isChecked: Bool
        do {
            isChecked = try await firstCheck(hasKey: hasKey, shutdown) {
                log.info("listening", ["url": .text(settings.publicURL), "port": .integer(listening.port)])
                onWait()
            }
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
        if !isChecked { loop.spawn { [self] in await checkLater(shutdown) } }
    }

    /// Whether the check has passed; it is still to come if a daemon with a key can't wait for it.
    private func firstCheck(hasKey: Bool, _ shutdown: Shutdown, onWait: () -> Void) async throws -> Bool {
        var isWaiting = false
        while !shutdown.isRequested {
            do {
                try await check()
                return true
            } catch let error as ConfigurationError {
                throw error
            } catch {
                problem.withLock { $0 = reason(of: error) }
                log.warning("the key and the media store can't be checked yet", ["error": .text("\(error)")])
                if hasKey { return false }
                if !isWaiting { onWait() }
                isWaiting = true
                await loop.sleep(for: Self.pause)
            }
        }
        return false
    }

    /// For `/readyz`.
    private func reason(of error: any Error) -> String {
        settings.database.scheduleURL == nil
            ? Readiness.problem(of: error, roles: settings.rolesOfLogin)
            : Readiness.problem(of: error, roles: [settings.roles.schedule], login: "database.schedule_url")
    }

    /// Throws the refusal that stopped the daemon, if any.
    func finish() throws {
        if let error = refusal.withLock({ $0 }) { throw error }
    }

    private func checkLater(_ shutdown: Shutdown) async {
        while !shutdown.isRequested {
            await loop.sleep(for: Self.pause)
            do {
                return try await check()
            } catch let error as ConfigurationError {
                log.error("stopping", ["error": .text(error.description)])
                refusal.withLock { $0 = error }
                shutdown.request()
            } catch {
                continue
            }
        }
    }

    private func check() async throws {
        // What is recorded is an act of background work, which may have a login of its own.
        let login = settings.database.scheduleURL?.reveal() ?? url
        let client = PostgresClient(
            configuration: settings.postgres(url: login, role: settings.roles.schedule, pipeline: 1, pool: 1),
            loops: [loop])
        client.start()
        let result: Result<Void, any Error>
        do {
            let database = Database(client: client, packs: .none)
            try await database.connect()
            try await adopt(database)
            result = .success(())
        } catch let error as PostgresError where error.isMisconfigured {
            result = .failure(ConfigurationError(problems: [error.message]))
        } catch {
            result = .failure(error)
        }
        await client.close()
        try result.get()
    }

    /// Verifies the key and the media store, and records those of a new database.
    private func adopt(_ database: Database) async throws {
        try await AdoptKey(database: database, rules: try WebhookRules(settings)).atStart(by: Self.actor)
        try await AdoptMediaStore(database: database, files: try MediaLibrary(settings).files).atStart(by: Self.actor)
        if try await database.identities.isCopy() {
            log.warning("the database is a copy", ["advice": .text(IdentityStore.copied)])
        }
    }
}
