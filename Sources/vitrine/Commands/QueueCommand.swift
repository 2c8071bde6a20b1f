// The review queue from the command line: list, show, accept, reject.
import Domain
import FoundationEssentials
import Platform
import Review
import Store

enum QueueCommand {
    static let entries = [
        CommandEntry(
            command: Command(
                "queue", "list", summary: "Lists what awaits a decision.",
                options: [
                    CommandRun.json, .init("type", .text(placeholder: "TYPE"), "Only this content type."),
                    .init("words", .text(placeholder: "WORDS"), "Only with these words in the title."),
                    .init("priority", .choice(Priority.allCases.map(\.name)), "Only of this priority."),
                    .init(
                        "sort", .choice(QueueOrder.allCases.map(\.rawValue)), "In this order; oldest first otherwise."),
                    .init("snoozed", .flag, "What is put off, in place of what waits."),
                    .init("limit", .integer(placeholder: "N", in: 1...1_000_000), "At most so many."),
                ]),
            run: list),
        CommandEntry(
            command: Command(
                "queue", "show", summary: "Shows one submission.", options: [CommandRun.json],
                positionals: [.init("id", "The submission.")]),
            run: show),
        CommandEntry(
            command: Command(
                "queue", "approve", summary: "Accepts submissions and publishes them together.",
                examples: [
                    .init("queue accept --all --feed city-guides", "everything that waits"),
                    .init("queue accept 0197… --at 2026-11-20T18:00 --zone Europe/London", "goes live at six"),
                ],
                options: [
                    .init("all", .flag, "Everything in the queue."),
                    .init("feed", .text(placeholder: "SLUG"), "Into this feed.", isRepeatable: true),
                    .init("category", .text(placeholder: "SLUG"), "Into this category.", isRepeatable: true),
                    CommandRun.at, CommandRun.zone, .init("approve-only", .flag, "Do not publish yet."),
                    CommandRun.dryRun, CommandRun.json,
                ],
                positionals: [.init("id", "The submissions.", .any)]),
            run: approve),
        CommandEntry(
            command: Command(
                "queue", "reject", summary: "Rejects submissions with a reason.",
                options: [
                    .init("reason", .choice(RejectReason.allCases.map(\.rawValue)), "Why.", isRequired: true),
                    .init("message", .text(placeholder: "TEXT"), "In your own words."), CommandRun.dryRun,
                    CommandRun.json,
                ],
                positionals: [.init("id", "The submissions.", .many)]),
            run: reject),
    ]

    private struct Line: Encodable {
        let id: String
        let type: String
        let title: String
        let source: String
        let requested_category: String?
        let received_at: Date
        let priority: String
        let claimed_by: String?
        let assigned_to: String?
        let snoozed_until: Date?
        let score: Int?
        let risk: String?
        let reasons: [String]
    }

    private static func list(_ run: CommandRun) async throws -> ExitCode {
        try await run.withDatabase { database, _ in
            var filter = QueueFilter()
            filter.type = run.arguments.text("type")
            filter.words = run.arguments.text("words")
            filter.priority = run.arguments.text("priority").flatMap { Priority(name: $0) }
            filter.isSnoozed = run.arguments.flag("snoozed")
            let order = run.arguments.text("sort").flatMap(QueueOrder.init) ?? .oldest
            var left = run.arguments.integer("limit") ?? .max
            var cursor: String?
            repeat {
                let page = try await database.queue.page(filter, order: order, cursor: cursor, limit: min(left, 500))
                for row in page.items { try print(row, asJSON: run.isJSON) }
                left -= page.items.count
                cursor = left > 0 ? page.next : nil
            } while cursor != nil
        }
        return .ok
    }

    private static func print(_ row: QueueRow, asJSON: Bool) throws {
        if asJSON {
            try Output.json(
                Line(
                    id: row.id.description, type: row.type, title: row.title, source: row.source,
                    requested_category: row.requestedCategory, received_at: row.receivedAt, priority: row.priority.name,
                    claimed_by: row.claimedBy, assigned_to: row.assignedTo ?? row.assignedRole?.rawValue,
                    snoozed_until: row.snoozedUntil, score: row.screening?.score,
                    risk: row.screening?.level.rawValue, reasons: row.screening?.reasons.map(\.words) ?? []))
        } else {
            let risk = row.screening.map { "\($0.level.rawValue) \($0.score)  " } ?? ""
            Output.line("\(row.id)  \(row.type)  \(Age.text(since: row.receivedAt))  \(risk)\(row.title)")
        }
    }

    private static func show(_ run: CommandRun) async throws -> ExitCode {
        let id: ID<Submission> = try run.id(run.arguments.argument("id") ?? "")
        let (row, side, found) = try await run.withDatabase { database, _ in
            (
                try await database.submissions.find(id), try await ContributorSide.load(id, database),
                try await database.screenings.find(id)
            )
        }
        guard let row else { throw Failure.missing("submission") }
        let fields: [String: JSONValue] = [
            "contributor_side": side.json, "score": found.map { .int(Int64($0.score)) } ?? .null,
            "risk": found.map { .string($0.level.rawValue) } ?? .null,
            "reasons": .array((found?.reasons ?? []).map { .string($0.words) }),
            "id": .string(row.id.description), "type": .string(row.type), "state": .string(row.state.rawValue),
            "title": .string(row.title), "contributor": row.contributor.map(JSONValue.string) ?? .null,
            "source": .string(row.clientName), "requested_category": row.requestedCategory.map(JSONValue.string) ?? .null,
            "entry": row.entry.map { .string($0.description) } ?? .null, "fields": .object(row.fields),
        ]
        if run.isJSON {
            Output.line(JSONValue.object(fields).canonicalText)
        } else {
            Output.line(
                "\(row.title)\n\(row.state.rawValue), from \(row.contributor ?? "somebody") by \(row.clientName)")
            for line in side.lines { Output.line(line) }
            if let found { Output.line("risk: \(found.level.rawValue) \(found.score)") }
            for reason in found?.reasons ?? [] { Output.line("  +\(reason.points) \(reason.words)") }
            Output.line("")
            for (name, value) in row.fields.sorted(by: { $0.key < $1.key }) {
                Output.line("\(name): \(value.stringValue ?? value.canonicalText)")
            }
        }
        return .ok
    }

    private struct Approved: Encodable {
        var approved = 0
        var publication: Int64?
        var release: Int64?
        var refused: [QueueManyCommand.Result.Refused] = []
        /// For the undo.
        var bulkActions: [String] = []
    }

    private static func approve(_ run: CommandRun) async throws -> ExitCode {
        let publishTiming = run.arguments.flag("approve-only") ? PublishTiming.approveOnly : try run.publishTiming()
        let result = try await run.withDatabase { database, rules in
            let feeds = try await run.resolve(run.arguments.texts("feed"), type: "feed", database)
            let categories = try await run.resolve(run.arguments.texts("category"), type: "category", database)
            let ids = try await chosen(run, database)
            if run.arguments.flag("dry-run") {
                Output.note("\(ids.count) submissions would be accepted; nothing was done.")
                return Approved()
            }
            let draft = Decision.Draft(verdict: .approve, feeds: feeds, categories: categories, publishTiming: publishTiming)
            let done = try await QueueManyCommand.carryOut(
                .approve, ids, .decide(draft), database, rules, by: run.operatorActor)
            return Approved(
                approved: done.done, publication: done.publication, release: done.release,
                refused: done.refused, bulkActions: done.bulkActions)
        }
        if run.isJSON {
            try Output.json(result)
        } else {
            Output.line("\(result.approved) accepted\(describe(result)).")
            for refused in result.refused { Output.problem("\(refused.id): \(refused.reason)") }
            QueueManyCommand.notifyUndo(result.bulkActions)
        }
        if result.refused.isEmpty { return .ok }
        return result.approved > 0 ? .partial : .conflict
    }

    private static func describe(_ result: Approved) -> String {
        if let publication = result.publication { return ", live in publication \(publication)" }
        if let release = result.release { return ", scheduled as release \(release)" }
        return ""
    }

    private static func chosen(_ run: CommandRun, _ database: Database) async throws -> [ID<Submission>] {
        let given = try run.arguments.arguments("id").map { try run.id($0) as ID<Submission> }
        guard run.arguments.flag("all") else {
            if given.isEmpty { throw Failure.invalid(FieldErrors("id", "required", "Name submissions, or say --all.")) }
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
        let ids = try run.arguments.arguments("id").map { try run.id($0) as ID<Submission> }
        guard let reason = RejectReason(rawValue: run.arguments.text("reason") ?? "") else { return .usage }
        if run.arguments.flag("dry-run") {
            Output.note("\(ids.count) submissions would be rejected; nothing was done.")
            return .ok
        }
        let draft = Decision.Draft(verdict: .reject, reason: reason, message: run.arguments.text("message"))
        return try await QueueManyCommand.run(run, .reject, ids, .decide(draft), said: "rejected")
    }
}
