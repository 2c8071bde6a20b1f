// Lists, shows and decides the reports of entries.
import CommandKit
import Domain
import FoundationEssentials
import Platform
import Review
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
            command: Command(
                "report", "list", summary: "List reported entries.",
                options: [
                    CommandRun.json, Arguments.state, Arguments.reason, Arguments.type, Arguments.sort,
                    Arguments.limit,
                ]),
            run: list),
        CommandEntry(
            command: Command(
                "report", "show", summary: "Show the reports of an entry, newest first.", options: [CommandRun.json],
                positionals: [Arguments.id]),
            run: show),
        CommandEntry(
            command: Command(
                "report", "decide", summary: "Decide the reports of an entry.",
                details:
                    "unpublish unpublishes the entry. block blocks its contributor, with the note as reason; without --hours and --until, "
                    + "the block has no end. edit confirms that a newer version is published.",
                examples: [
                    .init("report decide 0197… --outcome block --note Advertising --hours 168", "for a week")
                ],
                options: [
                    Arguments.outcome, Arguments.note, BulkQueueCommand.Arguments.hours,
                    BulkQueueCommand.Arguments.until, CommandRun.zone, CommandRun.json,
                ],
                positionals: [Arguments.id]),
            run: decide),
    ]

    private struct Line: Encodable {
        let id: String
        let entry: String
        let type: String
        let title: String
        let reports: Int
        let reasons: [String: Int]
        let opened_at: Date
        let last_report_at: Date
        let reported_version: Int
        let live_version: Int?
        let outcome: String?
        let note: String?
        let decided_by: String?
        let decided_at: Date?

        init(_ row: ReportCaseRow) {
            (id, entry, type, title) = (row.id.description, row.entry.description, row.type, row.title)
            reports = row.reports
            reasons = Dictionary(row.reasons.map { ($0.key.rawValue, $0.value) }) { first, _ in first }
            (opened_at, last_report_at) = (row.openedAt, row.lastReportAt)
            (reported_version, live_version) = (row.reportedVersion, row.liveVersion)
            (outcome, note, decided_by, decided_at) = (row.outcome?.rawValue, row.note, row.decidedBy, row.decidedAt)
        }
    }

    private struct ReportLine: Encodable {
        let id: String
        let reason: String
        let text: String
        let client: String
        let reporter: String?
        let received_at: Date

        init(_ row: ReportRow) {
            (id, reason, text) = (row.id.description, row.reason.rawValue, row.text)
            (client, reporter, received_at) = (row.clientName, row.reporter, row.receivedAt)
        }
    }

    private static func report(_ row: ReportCaseRow, _ run: CommandRun) throws {
        if run.isJSON { return try Output.json(Line(row)) }
        Output.line("\(row.id)  \(row.outcome?.rawValue ?? "open")  \(row.reports)  \(row.type)  \(row.title)")
    }

    private static func list(_ run: CommandRun) async throws -> ExitCode {
        try await run.withDatabase { database, _ in
            var filter = ReportCaseFilter()
            filter.isDecided = run.arguments.text(Arguments.state) == "decided"
            filter.reason = run.arguments.text(Arguments.reason).flatMap(ReportReason.init)
            filter.type = run.arguments.text(Arguments.type)
            filter.order = run.arguments.text(Arguments.sort).flatMap(ReportCaseFilter.Order.init) ?? .most
            var remaining = run.arguments.integer(Arguments.limit) ?? .max
            var cursor: String?
            repeat {
                let page = try await database.reportCases.page(filter, cursor: cursor, limit: min(remaining, 500))
                for row in page.items { try report(row, run) }
                remaining -= page.items.count
                cursor = remaining > 0 ? page.next : nil
            } while cursor != nil
        }
        return .ok
    }

    private static func find(_ run: CommandRun, _ database: Database) async throws -> ReportCaseRow {
        let id: ID<ReportCase> = try run.id(run.arguments.argument(Arguments.id) ?? "")
        guard let found = try await database.reportCases.find(id) else { throw Failure.missing("report case") }
        return found
    }

    private static func show(_ run: CommandRun) async throws -> ExitCode {
        try await run.withDatabase { database, _ in
            let found = try await find(run, database)
            try report(found, run)
            var cursor: String?
            repeat {
                let page = try await database.reports.page(of: found.id, cursor: cursor, limit: 500)
                for row in page.items {
                    if run.isJSON {
                        try Output.json(ReportLine(row))
                    } else {
                        Output.line("\(row.reason.rawValue)  \(row.reporter ?? "-")  \(PlainText.singleLine(row.text))")
                    }
                }
                cursor = page.next
            } while cursor != nil
        }
        return .ok
    }

    private static func decide(_ run: CommandRun) async throws -> ExitCode {
        guard let outcome = run.arguments.text(Arguments.outcome).flatMap(ReportOutcome.init) else {
            throw Failure.invalid(FieldErrors("--outcome", "choice", "Choose one of the outcomes."))
        }
        let draft = ReportDecisionDraft(
            outcome, note: run.arguments.text(Arguments.note) ?? "", until: try BulkQueueCommand.time(run))
        try await run.withDatabase { database, services in
            let found = try await find(run, database)
            try await services.decideReport(found.id, draft, by: run.operatorActor)
            try report(try await find(run, database), run)
        }
        return .ok
    }
}
