// Creates, lists and revokes preview links.
import CommandKit
import Domain
import FoundationEssentials
import Platform
import Publishing
import Store

enum PreviewCommand {
    private enum Arguments {
        static let days = Command.Option(
            "days", .integer(placeholder: "N", in: 1...ManagePreview.maximumDays),
            "Days until it expires; 7 by default.")
        static let title = Command.Positional("title", "Title.")
        static let id = Command.Positional("id", "Preview id.")
    }

    static let entries = [
        CommandEntry(
            command: Command(
                "preview", "create", summary: "Create a preview link for a future time and print its path once.",
                examples: [
                    .init("preview create \"New Year\" --at 2027-01-01T00:00 --zone Europe/London", "expires in a week")
                ],
                options: [
                    CommandRun.at, CommandRun.zone, Arguments.days, CommandRun.json,
                ],
                positionals: [Arguments.title]),
            run: create),
        CommandEntry(
            command: Command("preview", "list", summary: "List preview links.", options: [CommandRun.json]), run: list),
        CommandEntry(
            command: Command(
                "preview", "revoke", summary: "Revoke a preview link.", options: [CommandRun.json],
                positionals: [Arguments.id]),
            run: revoke),
    ]

    private struct Created: Encodable {
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
            state = row.isRevoked ? "revoked" : row.isInactive ? "expired" : "open"
            approvals = row.approvals
        }
    }

    private static func create(_ run: CommandRun) async throws -> ExitCode {
        let actor = run.operatorActor
        guard case .at(let time) = try run.publishTiming() else {
            throw Failure.invalid(
                FieldErrors("at", "required", "Enter a time, such as --at 2027-01-01T00:00 --zone Europe/London."))
        }
        let title = run.arguments.argument(Arguments.title) ?? ""
        let days = run.arguments.integer(Arguments.days) ?? 7
        let created = try await run.withDatabase { _, services in
            try await services.managePreview.create(title: title, at: time, days: days, by: actor)
        }
        let path = AdminURL.previewShared(created.token.text)
        if run.isJSON { try Output.json(Created(id: created.id.description, path: path)) } else { Output.line(path) }
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
        let id: ID<Preview> = try run.id(run.arguments.argument(Arguments.id) ?? "")
        let row = try await run.withDatabase { database, services in
            try await services.managePreview.revoke(id, by: actor)
            return try await database.previews.find(id)
        }
        guard let row else { throw Failure.missing("preview") }
        if run.isJSON { try Output.json(Line(row)) } else { Output.line("Preview link \"\(row.title)\" revoked.") }
        return .ok
    }
}
