// Preview links from the command line: made, listed, revoked.
import Domain
import FoundationEssentials
import Platform
import Publishing
import Store

enum PreviewCommand {
    static let entries = [
        CommandEntry(
            command: Command(
                "preview", "create", summary: "Makes a link to what readers see at another time; prints its path once.",
                examples: [
                    .init("preview create \"New Year\" --at 2027-01-01T00:00 --zone Europe/London", "a week's link")
                ],
                options: [
                    CommandRun.at, CommandRun.zone,
                    .init(
                        "days", .integer(placeholder: "N", in: 1...PreviewInstant.maximumDays), "How long it holds; 7."),
                    CommandRun.json,
                ],
                positionals: [.init("title", "What it is for.")]),
            run: create),
        CommandEntry(
            command: Command("preview", "list", summary: "Lists preview links.", options: [CommandRun.json]), run: list),
        CommandEntry(
            command: Command(
                "preview", "revoke", summary: "Ends a preview link at once.", options: [CommandRun.json],
                positionals: [.init("id", "The preview.")]),
            run: revoke),
    ]

    private struct Made: Encodable {
        let id: String
        let path: String
    }

    private struct Line: Encodable {
        let id: String
        let title: String
        let instant: Date
        let expires_at: Date
        let state: String
        let approvals: Int

        init(_ row: PreviewRow) {
            id = row.id.description
            title = row.title
            instant = row.instant
            expires_at = row.expiresAt
            state = row.isRevoked ? "revoked" : row.isOver ? "expired" : "open"
            approvals = row.approvals
        }
    }

    private static func create(_ run: CommandRun) async throws -> ExitCode {
        let actor = run.operatorActor
        guard case .at(let time) = try run.publishTiming() else {
            throw Failure.invalid(
                FieldErrors("at", "required", "Say of when, as --at 2027-01-01T00:00 --zone Europe/London."))
        }
        let title = run.arguments.argument("title") ?? ""
        let days = run.arguments.integer("days") ?? 7
        let made = try await run.withDatabase { database, _ in
            try await PreviewInstant(database: database).make(title: title, at: time, days: days, by: actor)
        }
        let path = "/preview/\(made.token.text)/"
        if run.isJSON { try Output.json(Made(id: made.id.description, path: path)) } else { Output.line(path) }
        return .ok
    }

    private static func list(_ run: CommandRun) async throws -> ExitCode {
        for row in try await run.withDatabase({ database, _ in try await database.previews.all() }) {
            let line = Line(row)
            if run.isJSON {
                try Output.json(line)
            } else {
                Output.line("\(line.id)  \(line.state)  \(row.localTime) \(row.zone)  \(row.title)")
            }
        }
        return .ok
    }

    private static func revoke(_ run: CommandRun) async throws -> ExitCode {
        let actor = run.operatorActor
        let id: ID<Preview> = try run.id(run.arguments.argument("id") ?? "")
        let row = try await run.withDatabase { database, _ in
            try await PreviewInstant(database: database).revoke(id, by: actor)
            return try await database.previews.find(id)
        }
        guard let row else { throw Failure.missing("preview") }
        if run.isJSON { try Output.json(Line(row)) } else { Output.line("The link of \(row.title) is revoked.") }
        return .ok
    }
}
