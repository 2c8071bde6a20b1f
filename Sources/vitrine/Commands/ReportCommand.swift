// Lists, shows and decides the reports of entries.
import CommandKit
import Domain
import FoundationEssentials
import Operations
import Platform
import Store

enum ReportCommand {
    private enum Arguments {
        static let id = Command.Positional("id", "Id of a report case: the reports of one entry.")
        static let state = Command.Option(
            "state", .choice(["open", "decided"]), "Only this state; default open.")
        static let reason = Command.Option(
            "reason", .choice(ReportReason.allCases.map(\.rawValue)), "Only with reports for this reason.")
        static let type = Command.Option("type", .text(placeholder: "TYPE"), "Only entries of this content type.")
        static let sort = Command.Option(
            "sort", .choice(ReportCaseFilter.Order.allCases.map(\.rawValue)),
            "Most reports first (default), or oldest first.")
        static let limit = Command.Option(
            "limit", .integer(placeholder: "N", in: 1...1_000_000), "Maximum number of report cases.")
        static let outcome = Command.Option(
            "outcome", .choice(ReportOutcome.allCases.map(\.rawValue)), "What is done.", isRequired: true)
        static let note = Command.Option("note", .text(placeholder: "TEXT"), "For the team.", isRequired: true)
    }

    static let entries = [
        CommandEntry(
            "report", "list", summary: "List reported entries.",
            options: [
                CommandRun.json, Arguments.state, Arguments.reason, Arguments.type, Arguments.sort,
                Arguments.limit,
            ],
            run: list),
        CommandEntry(
            "report", "show", summary: "Show the reports of an entry, newest first.", options: [CommandRun.json],
            positionals: [Arguments.id], run: show),
        CommandEntry(
            "report", "decide", summary: "Decide the reports of an entry.",
            details:
                "unpublish unpublishes the entry. block blocks its contributor, with the note as reason; without --hours and --until, "
                + "the block has no end. edit confirms that a newer version is published.",
            examples: [.init("report decide 0197… --outcome block --note Advertising --hours 168", "for a week")],
            options: [
                Arguments.outcome, Arguments.note, BulkQueueCommand.Arguments.hours,
                BulkQueueCommand.Arguments.until, CommandRun.zone, CommandRun.json,
            ],
            positionals: [Arguments.id], run: decide),
    ]

    private static let columns: [Column<ReportCaseRow>] = [
        .both("id") { $0.id }, .json("outcome") { $0.outcome?.rawValue }, .text { $0.outcome?.rawValue ?? "open" },
        .both("reports") { $0.reports }, .both("type") { $0.type }, .both("title") { $0.title },
        .json("entry") { $0.entry },
        .json("reasons") { Dictionary($0.reasons.map { ($0.key.rawValue, $0.value) }) { first, _ in first } },
        .json("opened_at") { $0.openedAt }, .json("last_report_at") { $0.lastReportAt },
        .json("reported_version") { $0.reportedVersion }, .json("live_version") { $0.liveVersion },
        .json("note") { $0.note }, .json("decided_by") { $0.decidedBy }, .json("decided_at") { $0.decidedAt },
    ]

    private static let reportColumns: [Column<ReportRow>] = [
        .json("id") { $0.id }, .both("reason") { $0.reason.rawValue }, .json("reporter") { $0.reporter },
        .text { $0.reporter ?? "-" }, .json("text") { $0.text }, .text { PlainText.singleLine($0.text) },
        .json("client") { $0.clientName }, .json("received_at") { $0.receivedAt },
    ]

    private static func list(_ run: CommandRun) async throws -> ExitCode {
        try await run.withDatabase { database, _ in
            var filter = ReportCaseFilter()
            filter.isDecided = run.arguments.text(Arguments.state) == "decided"
            filter.reason = run.arguments.text(Arguments.reason).flatMap(ReportReason.init)
            filter.type = run.arguments.text(Arguments.type)
            filter.order = run.arguments.text(Arguments.sort).flatMap(ReportCaseFilter.Order.init) ?? .most
            return try await run.list(columns, limit: run.arguments.integer(Arguments.limit)) {
                try await database.reportCases.page(filter, cursor: $0, limit: $1)
            }
        }
    }

    private static func find(_ run: CommandRun, _ database: Database) async throws -> ReportCaseRow {
        let id: ID<ReportCase> = try run.id(run.arguments.argument(Arguments.id) ?? "")
        return try await database.reportCases.find(id).orMissing("report case")
    }

    private static func show(_ run: CommandRun) async throws -> ExitCode {
        try await run.withDatabase { database, _ in
            let found = try await find(run, database)
            try run.show(found, columns)
            return try await run.list(reportColumns) {
                try await database.reports.page(of: found.id, cursor: $0, limit: $1)
            }
        }
    }

    private static func decide(_ run: CommandRun) async throws -> ExitCode {
        guard let outcome = run.arguments.text(Arguments.outcome).flatMap(ReportOutcome.init) else {
            throw Failure.invalid(FieldErrors("--outcome", "choice", "Choose one of the outcomes."))
        }
        let draft = ReportDecisionDraft(
            outcome, note: run.arguments.text(Arguments.note) ?? "", until: try BulkQueueCommand.time(run))
        return try await run.withDatabase { database, services in
            let found = try await find(run, database)
            try await services.decideReport(found.id, draft, by: run.operatorActor)
            return try run.show(try await find(run, database), columns)
        }
    }
}
