// Lists, shows, approves and rejects submissions in the queue.
import CommandKit
import Domain
import FoundationEssentials
import Operations
import Platform
import Store

enum QueueCommand {
    private enum Arguments {
        static let type = Command.Option("type", .text(placeholder: "TYPE"), "Only this content type.")
        static let query = Command.Option(
            "query", .text(placeholder: "TEXT"), "Words and operators, such as risk:high or domain:example.org.")
        static let priority = Command.Option("priority", .choice(Priority.allCases.map(\.name)), "Only this priority.")
        static let sort = Command.Option(
            "sort", .choice(QueueOrder.allCases.map(\.rawValue)), "Sort order; oldest by default.")
        static let snoozed = Command.Option("snoozed", .flag, "List snoozed submissions instead.")
        static let limit = Command.Option(
            "limit", .integer(placeholder: "N", in: 1...1_000_000), "Maximum number of submissions.")
        static let id = Command.Positional("id", "Submission id.")
        static let all = Command.Option("all", .flag, "Approve every submission in the queue.")
        static let feed = Command.Option("feed", .text(placeholder: "SLUG"), "Add to this feed.", isRepeatable: true)
        static let category = Command.Option(
            "category", .text(placeholder: "SLUG"), "Add to this category.", isRepeatable: true)
        static let noPublish = Command.Option("no-publish", .flag, "Approve without publishing.")
        static let reason = Command.Option(
            "reason", .choice(RejectReason.allCases.map(\.rawValue)), "Reason code.", isRequired: true)
        static let message = Command.Option("message", .text(placeholder: "TEXT"), "Message to the contributor.")
    }

    static let entries = [
        CommandEntry(
            "queue", "list", summary: "List submissions awaiting review.",
            options: [
                CommandRun.json, Arguments.type, Arguments.query, Arguments.priority, Arguments.sort,
                Arguments.snoozed, Arguments.limit,
            ],
            run: list),
        CommandEntry(
            "queue", "show", summary: "Show a submission.", options: [CommandRun.json], positionals: [Arguments.id],
            run: show),
        CommandEntry(
            "queue", "approve", summary: "Approve submissions and publish them together.",
            examples: [
                .init("queue approve --all --feed city-guides", "approve the whole queue"),
                .init("queue approve 0197… --at 2026-11-20T18:00 --zone Europe/London", "publish at six"),
            ],
            options: [
                Arguments.all, Arguments.feed, Arguments.category,
                CommandRun.at, CommandRun.zone, Arguments.noPublish, CommandRun.dryRun, CommandRun.json,
            ],
            positionals: [Arguments.id.with(summary: "Submission ids.", count: .any)], run: approve),
        CommandEntry(
            "queue", "reject", summary: "Reject submissions with a reason.",
            options: [Arguments.reason, Arguments.message, CommandRun.dryRun, CommandRun.json],
            positionals: [Arguments.id.with(summary: "Submission ids.", count: .many)], run: reject),
    ]

    private static let columns: [Column<QueueRow>] = [
        .both("id") { $0.id }, .both("type") { $0.type }, .text { Age.text(since: $0.receivedAt) },
        .text { $0.screening.map { "\($0.level.rawValue) \($0.score)" } }, .both("title") { $0.title },
        .json("source") { $0.source },
        .json("requested_category") { $0.requestedCategory }, .json("received_at") { $0.receivedAt },
        .json("priority") { $0.priority.name }, .json("claimed_by") { $0.claimedBy },
        .json("assigned_to") { $0.assignedTo ?? $0.assignedRole?.name }, .json("snoozed_until") { $0.snoozedUntil },
        .json("score") { $0.screening?.score }, .json("risk") { $0.screening?.level.rawValue },
        .json("reasons") { $0.screening?.reasons.map(\.message) ?? [] },
    ]

    private static func list(_ run: CommandRun) async throws -> ExitCode {
        try await run.withDatabase { database, services in
            let filter = try await filter(run, database, services)
            let order = run.arguments.text(Arguments.sort).flatMap(QueueOrder.init) ?? .oldest
            return try await run.list(columns, limit: run.arguments.integer(Arguments.limit)) {
                try await database.queue.page(filter, order: order, cursor: $0, limit: $1)
            }
        }
    }

    private static func filter(_ run: CommandRun, _ database: Database, _ services: Services) async throws
        -> QueueFilter
    {
        var filter = QueueFilter()
        filter.type = run.arguments.text(Arguments.type)
        filter.priority = run.arguments.text(Arguments.priority).flatMap { Priority(name: $0) }
        filter.isSnoozed = run.arguments.flag(Arguments.snoozed)
        guard let query = run.arguments.text(Arguments.query) else { return filter }
        let found = try await ReadSubmissionSearch.resolve(query, services.content.types, database)
        try found.apply(to: &filter, overdueAfter: services.reviewPolicy.targetHours, at: "/query")
        return filter
    }

    private static func show(_ run: CommandRun) async throws -> ExitCode {
        let id: ID<Submission> = try run.id(run.arguments.argument(Arguments.id) ?? "")
        let (row, contributor, screening, classification) = try await run.withDatabase { database, _ in
            (
                try await database.submissions.find(id), try await ContributorSummary.load(id, database),
                try await database.screenings.find(id), try await ClassificationSummary.load(id, database)
            )
        }
        guard let row else { throw Failure.missing("submission") }
        let fields: [String: JSONValue] = [
            "contributor_status": contributor.json, "score": screening.map { .int(Int64($0.score)) } ?? .null,
            "risk": screening.map { .string($0.level.rawValue) } ?? .null,
            "reasons": .array((screening?.reasons ?? []).map { .string($0.message) }),
            "classifier": classification.json,
            "id": .string(row.id.description), "type": .string(row.type), "state": .string(row.state.rawValue),
            "title": .string(row.title), "contributor": row.contributor.map(JSONValue.string) ?? .null,
            "source": .string(row.sourceName),
            "requested_category": row.requestedCategory.map(JSONValue.string) ?? .null,
            "entry": row.entry.map { .string($0.description) } ?? .null, "fields": .object(row.fields),
            "damaged": row.stored.damage.map(JSONValue.string) ?? .null,
        ]
        if run.isJSON {
            Output.line(JSONValue.object(fields).canonicalText)
        } else {
            Output.line(
                "\(row.title)\n\(row.state.rawValue), contributor \(row.contributor ?? "unknown"), source \(row.sourceName)"
            )
            for line in contributor.lines { Output.line(line) }
            if let screening { Output.line("risk: \(screening.level.rawValue) \(screening.score)") }
            for reason in screening?.reasons ?? [] { Output.line("  +\(reason.points) \(reason.message)") }
            for line in classification.lines { Output.line(line) }
            if let damage = row.stored.damage { Output.line(damage) }
            Output.line("")
            for (name, value) in row.fields.sorted(by: { $0.key < $1.key }) {
                Output.line("\(name): \(value.stringValue ?? value.canonicalText)")
            }
        }
        return .ok
    }

    private static func approve(_ run: CommandRun) async throws -> ExitCode {
        let publishTiming =
            run.arguments.flag(Arguments.noPublish) ? PublishTiming.approveOnly : try run.publishTiming()
        let result = try await run.withDatabase { database, services in
            let feeds = try await run.resolve(run.arguments.texts(Arguments.feed), type: "feed", database)
            let categories = try await run.resolve(run.arguments.texts(Arguments.category), type: "category", database)
            let ids = try await selected(run, database)
            if run.arguments.flag(CommandRun.dryRun) {
                Output.note("\(ids.count) submissions would be approved. Nothing was changed.")
                return BulkQueueCommand.Result()
            }
            let draft = Decision.Draft(
                verdict: .approve, feeds: feeds, categories: categories, publishTiming: publishTiming)
            try await run.noteClockChange(publishTiming, database)
            return try await BulkQueueCommand.apply(.approve, ids, .decide(draft), services, by: run.operatorActor)
        }
        try run.report(
            [
                "approved": result.done, "publication": result.publication, "release": result.release,
                "refused": result.refused, "bulk_actions": result.bulk_actions,
            ], "\(result.done) approved\(describe(result)).")
        return BulkQueueCommand.finish(result, run)
    }

    private static func describe(_ result: BulkQueueCommand.Result) -> String {
        if let publication = result.publication { return ", published in publication \(publication)" }
        if let release = result.release { return ", scheduled as release \(release)" }
        return ""
    }

    private static func selected(_ run: CommandRun, _ database: Database) async throws -> [ID<Submission>] {
        let given = try run.arguments.arguments(Arguments.id).map { try run.id($0) as ID<Submission> }
        guard run.arguments.flag(Arguments.all) else {
            if given.isEmpty { throw Failure.invalid(FieldErrors("id", "required", "Give submission ids, or --all.")) }
            return given
        }
        var ids: [ID<Submission>] = []
        var cursor: String?
        repeat {
            let page = try await database.queue.page(QueueFilter(), cursor: cursor, limit: 1000)
            ids += page.items.map(\.id)
            cursor = page.next
        } while cursor != nil
        return ids
    }

    private static func reject(_ run: CommandRun) async throws -> ExitCode {
        let ids = try run.arguments.arguments(Arguments.id).map { try run.id($0) as ID<Submission> }
        guard let reason = RejectReason(rawValue: run.arguments.text(Arguments.reason) ?? "") else { return .usage }
        if run.arguments.flag(CommandRun.dryRun) {
            if run.isJSON { try Output.json(BulkQueueCommand.Result()) }
            Output.note("\(ids.count) submissions would be rejected. Nothing was changed.")
            return .ok
        }
        let draft = Decision.Draft(verdict: .reject, reason: reason, message: run.arguments.text(Arguments.message))
        return try await BulkQueueCommand.run(run, .reject, ids, .decide(draft), as: "rejected")
    }
}
