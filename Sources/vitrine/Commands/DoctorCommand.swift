// Checks the configuration, files and database of a deployment, and explains how to fix each problem.
import CommandKit
import Domain
import EventLoop
import FoundationEssentials
import Markup
import Operations
import Platform
import Postgres
import Store

struct DoctorFinding: Encodable, Sendable {
    let check: String
    let ok: Bool
    let detail: String
}

enum DoctorCommand {
    static let entries = [
        CommandEntry(
            "doctor", summary: "Check the configuration, files and database.", options: [CommandRun.json], run: check)
    ]

    private typealias Finding = DoctorFinding

    private static func check(_ run: CommandRun) async throws -> ExitCode {
        let settings = try run.settings()
        let isDefault = settings.origin(of: "public.url") == .fallback
        let publicURL = "public.url is \(settings.publicURL)\(isDefault ? ", the default" : "")"
        var findings = [
            Finding(
                check: "configuration", ok: settings.warnings.isEmpty,
                detail: settings.warnings.isEmpty ? publicURL : settings.warnings.joined(separator: " "))
        ]
        let folders = ProgramLocation.current.folders.joined(separator: ", ")
        findings.append(
            Finding(check: "folders", ok: true, detail: "Config and Templates are searched in \(folders)"))
        findings.append(
            check("content types") {
                "\(try run.rules(settings).types.all.count) content types in \(settings.directories.contentTypes)"
            })
        findings.append(
            check("templates") {
                let templates = try TemplateSet(settings)
                return "\(templates.names.count) templates in \(settings.directories.templates)"
            })
        findings.append(typeface(settings))
        findings.append(await images(settings))
        findings += classifier(settings)
        do {
            findings += try await database(run, settings)
        } catch {
            findings.append(Finding(check: "database", ok: false, detail: explanation(of: error)))
        }
        for finding in findings {
            try run.report(
                json: finding, "\(finding.ok ? "ok  " : "FAIL")  \(finding.check): \(finding.detail)")
        }
        return findings.allSatisfy(\.ok) ? .ok : .failure
    }

    private static func check(_ name: String, _ body: () throws -> String) -> Finding {
        do {
            return Finding(check: name, ok: true, detail: try body())
        } catch {
            return Finding(check: name, ok: false, detail: explanation(of: error))
        }
    }

    private static func explanation(of error: any Error) -> String {
        switch error {
        case let error as PostgresError where error.isUnavailable: DatabaseAdvice.sentence(for: error)
        case let error as PostgresError where error.sqlState == "42501":
            "\(error.message); run \"vitrine migrate\" as the owner, which grants what a login needs"
        case let failure as Failure: failure.sentence
        case let error as CocoaError: FileProblem.sentence(for: error)
        default: String(describing: error)
        }
    }

    /// Optional: without their own, pages use a typeface of the system.
    private static func typeface(_ settings: Settings) -> Finding {
        let file = settings.directories.staticFiles + "/vendor/fonts/inter-latin.woff2"
        let isInstalled = FileManager.default.fileExists(atPath: file)
        let detail =
            isInstalled
            ? "pages have their own" : "\(file) is missing, so pages use one of the system; run scripts/setup.sh"
        return Finding(check: "typeface", ok: true, detail: detail)
    }

    /// Whether the image process can start within its limits.
    private static func images(_ settings: Settings) async -> Finding {
        do {
            let problem = try await MediaLibrary(settings).problem()
            return Finding(check: "images", ok: problem == nil, detail: problem ?? "the image process works")
        } catch {
            return Finding(check: "images", ok: false, detail: explanation(of: error))
        }
    }

    /// Whether requests may be sent to the external classifier. Nothing is asked. None without one.
    private static func classifier(_ settings: Settings) -> [Finding] {
        guard let classifier = settings.classifier else { return [] }
        return [
            check("classifier") {
                _ = try ClassifierRules(settings)
                return
                    "\(classifier.host), at most \(classifier.perHour) calls per hour and \(classifier.perDay) per day"
            }
        ]
    }

    /// Breaker and calls of the external classifier, which all daemons share.
    private static func classifier(_ settings: Settings, _ status: ClassifierStatus?) -> [Finding] {
        guard let classifier = settings.classifier, let status else { return [] }
        let calls = "\(status.callsToday) of \(classifier.perDay) calls today"
        let detail =
            status.lastError.map { "\(calls); not answering since the last \(status.failures) calls: \($0)" } ?? calls
        return [Finding(check: "classifier calls", ok: status.breaker == .closed, detail: detail)]
    }

    /// Mail is optional; queued and failed mails are reported.
    private static func mail(_ settings: Settings, waiting: Int, failed: Int) -> Finding {
        let counts = "\(waiting) queued, \(failed) failed"
        do {
            _ = try MailRules(settings)
        } catch {
            return Finding(check: "mail", ok: false, detail: "\(error); \(counts)")
        }
        let detail =
            settings.mail.url == nil
            ? "no mail server is configured (mail.url), so mails stay queued: \(counts)" : counts
        return Finding(check: "mail", ok: failed == 0, detail: detail)
    }

    /// Version, durability, roles, migrations, and what the tables say. A check that fails, as for a missing grant, doesn't
    /// keep the others from running.
    private static func database(_ run: CommandRun, _ settings: Settings) async throws -> [Finding] {
        let loop = EventLoop(name: "doctor")
        loop.start()
        let client = PostgresClient(
            configuration: settings.postgres(url: try await run.databaseURL(settings), role: nil, pipeline: 1, pool: 1),
            loops: [loop])
        client.start()
        let database = Database(client: client, packs: try settings.enabledPacks())
        try await database.connect()
        let schema = Schema(client: client, roles: settings.roles, packs: try settings.enabledPacks())
        var findings = await finding("database") { try await server(database) }
        findings += await finding("roles") {
            let missing = try await schema.missing(settings.rolesOfLogin)
            let detail = missing.isEmpty ? "the login may use the roles of a daemon" : Readiness.grant(missing)
            return [Finding(check: "roles", ok: missing.isEmpty, detail: detail)]
        }
        findings += await ownLogins(settings, loop)
        var state: SchemaState?
        findings += await finding("migrations") {
            let found = try await schema.state(version: Program.version)
            state = found
            return [migrations(found)]
        }
        findings += await content(database, settings, isMigrated: state == .current)
        await client.close()
        return findings
    }

    /// The logins for signing in and background work, if these have their own.
    private static func ownLogins(_ settings: Settings, _ loop: EventLoop) async -> [Finding] {
        let logins = [
            (key: "database.sign_in_url", url: settings.database.signInURL, role: settings.roles.signIn),
            (key: "database.schedule_url", url: settings.database.scheduleURL, role: settings.roles.schedule),
        ]
        var findings: [Finding] = []
        for login in logins {
            guard let url = login.url?.reveal() else { continue }
            let client = PostgresClient(
                configuration: settings.postgres(url: url, role: nil, pipeline: 1, pool: 1), loops: [loop])
            client.start()
            findings += await finding(login.key) {
                let schema = Schema(client: client, roles: settings.roles, packs: try settings.enabledPacks())
                let isGranted = try await schema.missing([login.role]).isEmpty
                let detail =
                    isGranted
                    ? "the login may use \(login.role)"
                    : "the login may not use \(login.role); run vitrine migrate, then: grant \(login.role) to LOGIN"
                return [Finding(check: login.key, ok: isGranted, detail: detail)]
            }
            await client.close()
        }
        return findings
    }

    private static func finding(_ name: String, _ body: () async throws -> [Finding]) async -> [Finding] {
        do {
            return try await body()
        } catch {
            return [Finding(check: name, ok: false, detail: explanation(of: error))]
        }
    }

    private static func server(_ database: Database) async throws -> [Finding] {
        let server = try await ServerInfo.read(database)
        return [
            Finding(
                check: "database", ok: server.version >= 150_000,
                detail: "PostgreSQL \(server.version / 10_000).\(server.version % 10_000); 15 or later is required"),
            Finding(
                check: "durability", ok: server.unsafe.isEmpty,
                detail: server.unsafe.isEmpty
                    ? "commits survive a crash"
                    : "\(server.unsafe.joined(separator: ", ")) is off; turn it on, or a crash can lose commits"),
        ]
    }

    /// What the tables say, once they exist.
    private static func content(_ database: Database, _ settings: Settings, isMigrated: Bool) async -> [Finding] {
        // Both findings report that they can't be read.
        let counts: Result<[BackgroundTaskCount], any Error>
        do {
            counts = .success(isMigrated ? try await database.backgroundTasks.counts() : [])
        } catch {
            counts = .failure(error)
        }
        var findings = await finding("mail") {
            let mails = try counts.get().first { $0.kind == .mail }
            return [mail(settings, waiting: mails?.waiting ?? 0, failed: mails?.failed ?? 0)]
        }
        if isMigrated {
            let work = DoctorWork(database: database, settings: settings)
            findings += await finding("background tasks") { [try await work.tasks(try counts.get())] }
            findings += await finding("webhooks") { [try await work.webhooks()] }
            findings += await finding("releases") { [try await work.releases()] }
        }
        findings += await finding("second factor") {
            let secrets = isMigrated ? try await database.secondFactors.sealedSecrets() : []
            let roles = isMigrated ? try await database.roles.list().map(\.name) : nil
            return [secondFactor(settings, secrets, roles: roles)]
        }
        findings.append(
            await identity("encryption key", isMigrated: isMigrated) {
                let fingerprint = try await VerifyKey(database.identities, rules: try WebhookRules(settings))()
                return "fingerprint \(fingerprint)"
            })
        findings.append(
            await identity("media store", isMigrated: isMigrated) {
                let files = try MediaLibrary(settings).files
                try await VerifyMediaStore(database.identities, files: files).beforeDeleting()
                return files.location
            })
        findings += await finding("classifier calls") {
            classifier(settings, isMigrated ? try await database.classifier.status() : nil)
        }
        return findings
    }

    private static func migrations(_ state: SchemaState) -> Finding {
        Finding(check: "migrations", ok: state == .current, detail: state.problem ?? "all applied")
    }

    /// Whether the key or the media store is the one of the database. Without a schema there is nothing to compare.
    private static func identity(
        _ name: String, isMigrated: Bool, _ body: () async throws -> String
    ) async -> Finding {
        guard isMigrated else { return Finding(check: name, ok: true, detail: "checked after migration") }
        do {
            return Finding(check: name, ok: true, detail: try await body())
        } catch {
            return Finding(check: name, ok: false, detail: explanation(of: error))
        }
    }

    /// After a restore with another key, codes of authenticator apps fail; recovery codes still work. `roles`: the
    /// names that exist; nil if unknown.
    private static func secondFactor(_ settings: Settings, _ secrets: [[UInt8]], roles: [String]?) -> Finding {
        check("second factor") {
            let rules = try SecondFactorRules(
                box: secrets.isEmpty ? nil : try WebhookRules(settings).box(for: SecondFactorRules.purpose),
                roles: settings.login.secondFactorRoles, publicURL: settings.publicURL)
            let unreadable = secrets.filter { !rules.opens($0) }.count
            if unreadable > 0 {
                throw Failure.refused(
                    code: "key",
                    message:
                        "\(unreadable) of \(secrets.count) secrets were encrypted with another key than webhooks.key. "
                        + "Restore that key, or run \"vitrine second-factor delete EMAIL\" for each account.")
            }
            let unknown = rules.roles.filter { !(roles ?? [$0]).contains($0) }
            if !unknown.isEmpty {
                throw Failure.refused(
                    code: "role",
                    message:
                        "login.second_factor_roles names roles that don't exist: \(unknown.joined(separator: ", "))")
            }
            let required =
                rules.roles.isEmpty
                ? "not required for any role"
                : "required for "
                    + rules.roles.joined(separator: ", ")
            return "\(secrets.count) accounts have one; \(required)"
        }
    }
}
