// Looks whether everything that a daemon needs is as it should be, and says what to do where it is not.
import Accounts
import Domain
import EventLoop
import Library
import Mail
import Markup
import Platform
import Postgres
import Store
import Webhooks

enum DoctorCommand {
    static let entries = [
        CommandEntry(
            command: Command(
                "doctor", summary: "Checks the configuration, the files and the database.", options: [CommandRun.json]),
            run: examine)
    ]

    private struct Finding: Encodable, Sendable {
        let check: String
        let ok: Bool
        let detail: String
    }

    private static func examine(_ run: CommandRun) async throws -> ExitCode {
        let settings = try run.settings()
        var findings = [Finding(check: "configuration", ok: true, detail: settings.publicURL)]
        findings.append(check("content types") { "\(try run.rules(settings).types.all.count) types" })
        findings.append(
            check("templates") { "\(try TemplateSet(directory: settings.directories.templates).names.count) templates" }
        )
        findings.append(await images(settings))
        do {
            findings += try await database(run, settings)
        } catch {
            findings.append(Finding(check: "database", ok: false, detail: String(describing: error)))
        }
        for finding in findings {
            if run.isJSON {
                try Output.json(finding)
            } else {
                Output.line("\(finding.ok ? "ok  " : "FAIL")  \(finding.check): \(finding.detail)")
            }
        }
        return findings.allSatisfy(\.ok) ? .ok : .failure
    }

    private static func check(_ name: String, _ body: () throws -> String) -> Finding {
        do {
            return Finding(check: name, ok: true, detail: try body())
        } catch {
            return Finding(check: name, ok: false, detail: (error as? Failure)?.sentence ?? String(describing: error))
        }
    }

    /// Whether the helper that reads images can be started within its limits.
    private static func images(_ settings: Settings) async -> Finding {
        do {
            let problem = try await MediaLibrary(settings).problem()
            return Finding(check: "images", ok: problem == nil, detail: problem ?? "the helper answers")
        } catch {
            return Finding(check: "images", ok: false, detail: String(describing: error))
        }
    }

    /// A place may do without mail; what waits or failed is said.
    private static func mail(_ settings: Settings, waiting: Int, failed: Int) -> Finding {
        let counts = "\(waiting) waiting, \(failed) failed"
        do {
            _ = try MailRules(settings)
        } catch {
            return Finding(check: "mail", ok: false, detail: "\(error); \(counts)")
        }
        let detail =
            settings.mail.url == nil
            ? "no mail server is named (mail.url), so mails stay in the queue: \(counts)" : counts
        return Finding(check: "mail", ok: failed == 0, detail: detail)
    }

    /// Version, durability, migrations, and the newest publication.
    private static func database(_ run: CommandRun, _ settings: Settings) async throws -> [Finding] {
        let loop = EventLoop(name: "doctor")
        loop.start()
        let client = PostgresClient(
            configuration: Clients.configuration(
                settings, url: try await run.databaseURL(settings), role: nil, pipeline: 1, pool: 1),
            loops: [loop])
        client.start()
        let observations = try await ServerInfo.read(Database(client: client))
        let database = Database(client: client)
        let pending = try await Schema(client: client, roles: Clients.roles(settings)).pending()
        let mails = pending.isEmpty ? try await database.mails.counts() : (waiting: 0, failed: 0)
        let secrets = pending.isEmpty ? try await database.secondFactors.sealedSecrets() : []
        await client.close()
        let missing = "\(pending.count) to apply: run vitrine migrate"
        return [
            Finding(
                check: "database", ok: observations.version >= 150_000,
                detail: "PostgreSQL \(observations.version / 10_000).\(observations.version % 10_000); 15 or later is needed"),
            Finding(
                check: "durability", ok: observations.unsafe.isEmpty,
                detail: observations.unsafe.isEmpty
                    ? "commits survive a crash" : "\(observations.unsafe.joined(separator: ", ")) is off"),
            Finding(check: "migrations", ok: pending.isEmpty, detail: pending.isEmpty ? "all applied" : missing),
            mail(settings, waiting: mails.waiting, failed: mails.failed), secondFactor(settings, secrets),
        ]
    }

    /// After a restore with another key no app's code is right any more: recovery codes still are.
    private static func secondFactor(_ settings: Settings, _ secrets: [[UInt8]]) -> Finding {
        check("second factor") {
            let rules = try SecondFactorRules(
                box: secrets.isEmpty ? nil : try WebhookRules(settings).box(for: SecondFactorRules.purpose),
                roles: settings.login.secondFactorRoles, publicURL: settings.publicURL)
            let closed = secrets.filter { !rules.opens($0) }.count
            if closed > 0 {
                throw Failure.refused(
                    code: "key",
                    message:
                        "\(closed) of \(secrets.count) secrets were sealed with another key than webhooks.key: give "
                        + "the key back, or take them away (\"account second-factor EMAIL --remove\").")
            }
            let needed =
                rules.roles.isEmpty
                ? "no role needs one"
                : "needed by "
                    + rules.roles.sorted().map(\.rawValue).joined(separator: ", ")
            return "\(secrets.count) people have one; \(needed)"
        }
    }
}
