// Lists, trusts, blocks, exports and erases contributors.
import CommandKit
import Domain
import FoundationEssentials
import Platform
import Review
import Store

enum ContributorCommand {
    private enum Arguments {
        static let id = Command.Positional("id", "Contributor id.")
        static let query = Command.Option(
            "query", .text(placeholder: "TEXT"), "Only these names, or the one with this email address.")
        static let status = Command.Option(
            "status", .choice(ContributorStatus.allCases.map(\.rawValue)), "Only these contributors.")
        static let limit = Command.Option(
            "limit", .integer(placeholder: "N", in: 1...1_000_000), "Maximum number of contributors.")
        static let reason = Command.Option("reason", .text(placeholder: "TEXT"), "For the team.", isRequired: true)
    }

    static let entries = [
        CommandEntry(
            command: Command(
                "contributor", "list", summary: "List contributors, the newest first.",
                options: [CommandRun.json, Arguments.query, Arguments.status, Arguments.limit]),
            run: list),
        CommandEntry(
            command: Command(
                "contributor", "block", summary: "Refuse or hold what a contributor sends.",
                details:
                    "What happens is the setting intake.blocked. Without --hours and --until, the block has no end.",
                examples: [.init("contributor block 0197… --reason Advertising --hours 168", "for a week")],
                options: [
                    Arguments.reason, BulkQueueCommand.Arguments.hours, BulkQueueCommand.Arguments.until,
                    CommandRun.zone,
                    CommandRun.json,
                ],
                positionals: [Arguments.id]),
            run: { try await set(.blocked, $0) }),
        CommandEntry(
            command: Command(
                "contributor", "unblock", summary: "End the block of a contributor.", options: [CommandRun.json],
                positionals: [Arguments.id]),
            run: { try await lift(.blocked, $0) }),
        CommandEntry(
            command: Command(
                "contributor", "trust", summary: "Let screening treat a contributor as trusted.",
                options: [
                    Arguments.reason, BulkQueueCommand.Arguments.hours, BulkQueueCommand.Arguments.until,
                    CommandRun.zone,
                    CommandRun.json,
                ],
                positionals: [Arguments.id]),
            run: { try await set(.trusted, $0) }),
        CommandEntry(
            command: Command(
                "contributor", "untrust", summary: "End the trust in a contributor.", options: [CommandRun.json],
                positionals: [Arguments.id]),
            run: { try await lift(.trusted, $0) }),
        CommandEntry(
            command: Command(
                "contributor", "export",
                summary: "Print what is stored about a contributor, one JSON document per line.",
                positionals: [Arguments.id]),
            run: export),
        CommandEntry(
            command: Command(
                "contributor", "erase", summary: "Erase the data of a contributor for good.",
                details: "Published entries, decisions and the audit trail stay. Decide what is pending first.",
                options: [CommandRun.json], positionals: [Arguments.id]),
            run: erase),
    ]

    private struct Line: Encodable {
        let id: String
        let name: String
        let source: String
        let status: String?
        let status_reason: String?
        let status_until: Date?
        let first_seen_at: Date

        init(_ row: ReputationRow) {
            (id, name, source) = (row.id.description, row.name, row.source)
            (status, status_reason, status_until) = (row.status?.rawValue, row.reason, row.until)
            first_seen_at = row.firstSeen
        }
    }

    private static func report(_ row: ReputationRow, _ run: CommandRun) throws {
        if run.isJSON { return try Output.json(Line(row)) }
        Output.line("\(row.id)  \(row.status?.rawValue ?? "-")  \(row.source)  \(row.name)")
    }

    private static func list(_ run: CommandRun) async throws -> ExitCode {
        try await run.withDatabase { database, _ in
            let status = run.arguments.text(Arguments.status).flatMap(ContributorStatus.init)
            var remaining = run.arguments.integer(Arguments.limit) ?? .max
            var cursor: String?
            repeat {
                let page = try await database.reputations.page(
                    run.arguments.text(Arguments.query), status, cursor: cursor, limit: min(remaining, 500),
                    countLimit: 1)
                for line in page.items { try report(line.contributor, run) }
                remaining -= page.items.count
                cursor = remaining > 0 ? page.next : nil
            } while cursor != nil
        }
        return .ok
    }

    private static func contributor(_ run: CommandRun) throws -> ID<Contributor> {
        try run.id(run.arguments.argument(Arguments.id) ?? "")
    }

    private static func show(_ id: ID<Contributor>, _ database: Database, _ run: CommandRun) async throws {
        guard let row = try await database.reputations.find(id) else { throw Failure.missing("contributor") }
        try report(row, run)
    }

    private static func set(_ status: ContributorStatus, _ run: CommandRun) async throws -> ExitCode {
        let id = try contributor(run)
        let draft = ContributorStatusDraft(
            status, reason: run.arguments.text(Arguments.reason) ?? "", until: try BulkQueueCommand.time(run))
        try await run.withDatabase { database, services in
            try await services.manageContributor.set(draft, on: id, by: run.operatorActor)
            try await show(id, database, run)
        }
        return .ok
    }

    private static func lift(_ status: ContributorStatus, _ run: CommandRun) async throws -> ExitCode {
        let id = try contributor(run)
        try await run.withDatabase { database, services in
            try await services.manageContributor.lift(status, of: id, by: run.operatorActor)
            try await show(id, database, run)
        }
        return .ok
    }

    private static func export(_ run: CommandRun) async throws -> ExitCode {
        let id = try contributor(run)
        try await run.withDatabase { _, services in
            try await services.manageContributor.export(id, by: run.operatorActor) { documents in
                for document in documents { Output.line(document) }
                return true
            }
        }
        return .ok
    }

    private static func erase(_ run: CommandRun) async throws -> ExitCode {
        let id = try contributor(run)
        let count = try await run.withDatabase { _, services in
            try await services.manageContributor.erase(id, by: run.operatorActor)
        }
        if run.isJSON { try Output.json(["submissions": count]) } else { Output.line("\(count) submissions erased.") }
        return .ok
    }
}
