// Creates, lists and revokes preview links.
import CommandKit
import Domain
import FoundationEssentials
import Operations
import Platform
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
            "preview", "create", summary: "Create a preview link for a future time and print its path once.",
            examples: [
                .init("preview create \"New Year\" --at 2027-01-01T00:00 --zone Europe/London", "expires in a week")
            ],
            options: [CommandRun.at, CommandRun.zone, Arguments.days, CommandRun.json], positionals: [Arguments.title],
            run: create),
        CommandEntry("preview", "list", summary: "List preview links.", options: [CommandRun.json], run: list),
        CommandEntry(
            "preview", "revoke", summary: "Revoke a preview link.", options: [CommandRun.json],
            positionals: [Arguments.id], run: revoke),
    ]

    private static let columns: [Column<PreviewRow>] = [
        .both("id") { $0.id }, .both("state") { $0.isRevoked ? "revoked" : $0.isInactive ? "expired" : "open" },
        .text { "\($0.localTime) \($0.zone)" }, .both("title") { $0.title }, .json("instant") { $0.instant },
        .json("expires_at") { $0.expiresAt }, .json("approvals") { $0.approvals },
    ]

    private static func create(_ run: CommandRun) async throws -> ExitCode {
        guard case .at(let time) = try run.publishTiming() else {
            throw Failure.invalid(
                FieldErrors("at", "required", "Enter a time, such as --at 2027-01-01T00:00 --zone Europe/London."))
        }
        let title = run.arguments.argument(Arguments.title) ?? ""
        let days = run.arguments.integer(Arguments.days) ?? 7
        let created = try await run.withDatabase { _, services in
            try await services.managePreview.create(title: title, at: time, days: days, by: run.operatorActor)
        }
        let path = AdminURL.previewShared(created.token.text)
        return try run.report(["id": created.id, "path": path], path)
    }

    private static func list(_ run: CommandRun) async throws -> ExitCode {
        try run.list(try await run.withDatabase { database, _ in try await database.previews.all() }, columns)
    }

    private static func revoke(_ run: CommandRun) async throws -> ExitCode {
        let id: ID<Preview> = try run.id(run.arguments.argument(Arguments.id) ?? "")
        let row = try await run.withDatabase { database, services in
            try await services.managePreview.revoke(id, by: run.operatorActor)
            return try await database.previews.find(id)
        }
        guard let row else { throw Failure.missing("preview") }
        return try run.report(JSONObject(row, columns), "Preview link \"\(row.title)\" revoked.")
    }
}
