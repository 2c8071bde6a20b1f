// Lists, trusts, blocks, exports and erases contributors.
import CommandKit
import Domain
import FoundationEssentials
import Operations
import Platform
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
        /// Of the commands that set a status.
        static let setting = [
            reason, BulkQueueCommand.Arguments.hours, BulkQueueCommand.Arguments.until, CommandRun.zone,
            CommandRun.json,
        ]
    }

    static let entries = [
        CommandEntry(
            "contributor", "list", summary: "List contributors, the newest first.",
            options: [CommandRun.json, Arguments.query, Arguments.status, Arguments.limit], run: list),
        CommandEntry(
            "contributor", "block", summary: "Refuse or hold what a contributor sends.",
            details: "What happens is the setting intake.blocked. Without --hours and --until, the block has no end.",
            examples: [.init("contributor block 0197… --reason Advertising --hours 168", "for a week")],
            options: Arguments.setting, positionals: [Arguments.id], run: { try await set(.blocked, $0) }),
        CommandEntry(
            "contributor", "unblock", summary: "End the block of a contributor.", options: [CommandRun.json],
            positionals: [Arguments.id], run: { try await lift(.blocked, $0) }),
        CommandEntry(
            "contributor", "trust", summary: "Let screening treat a contributor as trusted.",
            options: Arguments.setting, positionals: [Arguments.id], run: { try await set(.trusted, $0) }),
        CommandEntry(
            "contributor", "untrust", summary: "End the trust in a contributor.", options: [CommandRun.json],
            positionals: [Arguments.id], run: { try await lift(.trusted, $0) }),
        CommandEntry(
            "contributor", "export", summary: "Print what is stored about a contributor, one JSON document per line.",
            positionals: [Arguments.id], run: export),
        CommandEntry(
            "contributor", "erase", summary: "Erase the data of a contributor for good.",
            details: "Published entries, decisions and the audit trail stay. Decide what is pending first.",
            options: [CommandRun.json], positionals: [Arguments.id], run: erase),
    ]

    private static let columns: [Column<ReputationRow>] = [
        .both("id") { $0.id }, .json("status") { $0.status?.rawValue }, .text { $0.status?.rawValue ?? "-" },
        .both("source") { $0.source }, .both("name") { $0.name }, .json("status_reason") { $0.reason },
        .json("status_until") { $0.until }, .json("first_seen_at") { $0.firstSeen },
    ]

    private static func list(_ run: CommandRun) async throws -> ExitCode {
        try await run.withDatabase { database, _ in
            let status = run.arguments.text(Arguments.status).flatMap(ContributorStatus.init)
            return try await run.list(columns, limit: run.arguments.integer(Arguments.limit)) {
                try await database.reputations.page(
                    run.arguments.text(Arguments.query), status, cursor: $0, limit: $1, countLimit: 1
                ).map(\.contributor)
            }
        }
    }

    private static func contributor(_ run: CommandRun) throws -> ID<Contributor> {
        try run.id(run.arguments.argument(Arguments.id) ?? "")
    }

    private static func show(_ id: ID<Contributor>, _ database: Database, _ run: CommandRun) async throws {
        guard let row = try await database.reputations.find(id) else { throw Failure.missing("contributor") }
        try run.show(row, columns)
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
        return try run.report(["submissions": count], "\(count) submissions erased.")
    }
}
