// The review queue from the command line: list, show, accept, reject.
import Domain
import FoundationEssentials
import Platform
import Publishing
import Review
import Store

enum QueueCommand {
    static let entries = [
        CommandEntry(
            command: Command(
                "queue", "list", summary: "Lists what awaits a decision, oldest first.",
                options: [
                    CommandRun.json, .init("type", .text(placeholder: "TYPE"), "Only this content type."),
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
                "queue", "accept", summary: "Accepts submissions and publishes them together.",
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
            run: accept),
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
        let wished_category: String?
        let received_at: Date
    }

    private static func list(_ run: CommandRun) async throws -> ExitCode {
        try await run.withDatabase { database, _ in
            var filter = QueueFilter()
            filter.type = run.arguments.text("type")
            var left = run.arguments.integer("limit") ?? .max
            var cursor: String?
            repeat {
                let page = try await database.queue.page(filter, cursor: cursor, limit: min(left, 500))
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
                    wished_category: row.wishedCategory, received_at: row.receivedAt))
        } else {
            Output.line("\(row.id)  \(row.type)  \(Age.text(since: row.receivedAt))  \(row.title)")
        }
    }

    private static func show(_ run: CommandRun) async throws -> ExitCode {
        let id: ID<Submission> = try run.id(run.arguments.argument("id") ?? "")
        let (row, side) = try await run.withDatabase { database, _ in
            (try await database.submissions.find(id), try await ContributorSide.load(id, database))
        }
        guard let row else { throw Failure.missing("submission") }
        let fields: [String: JSONValue] = [
            "contributor_side": side.json,
            "id": .string(row.id.description), "type": .string(row.type), "state": .string(row.state.rawValue),
            "title": .string(row.title), "contributor": row.contributor.map(JSONValue.string) ?? .null,
            "source": .string(row.clientName), "wished_category": row.wishedCategory.map(JSONValue.string) ?? .null,
            "entry": row.entry.map { .string($0.description) } ?? .null, "fields": .object(row.fields),
        ]
        if run.isJSON {
            Output.line(JSONValue.object(fields).canonicalText)
        } else {
            Output.line(
                "\(row.title)\n\(row.state.rawValue), from \(row.contributor ?? "somebody") by \(row.clientName)")
            for line in side.lines { Output.line(line) }
            Output.line("")
            for (name, value) in row.fields.sorted(by: { $0.key < $1.key }) {
                Output.line("\(name): \(value.stringValue ?? value.canonicalText)")
            }
        }
        return .ok
    }

    private struct Accepted: Encodable {
        struct Refused: Encodable {
            let id: String
            let reason: String
        }

        var accepted = 0
        var publication: Int64?
        var release: Int64?
        var refused: [Refused] = []
    }

    private static func accept(_ run: CommandRun) async throws -> ExitCode {
        let goLive = run.arguments.flag("approve-only") ? GoLive.approveOnly : try run.goLive()
        let result = try await run.withDatabase { database, rules in
            let feeds = try await run.resolve(run.arguments.texts("feed"), type: "feed", database)
            let categories = try await run.resolve(run.arguments.texts("category"), type: "category", database)
            let ids = try await chosen(run, database)
            if run.arguments.flag("dry-run") {
                Output.note("\(ids.count) submissions would be accepted; nothing was done.")
                return Accepted()
            }
            let decide = DecideSubmission(database: database, rules: rules)
            return try await accept(ids, feeds, categories, goLive, database, decide, by: run.operatorActor)
        }
        if run.isJSON {
            try Output.json(result)
        } else {
            Output.line("\(result.accepted) accepted\(describe(result)).")
            for refused in result.refused { Output.problem("\(refused.id): \(refused.reason)") }
        }
        if result.refused.isEmpty { return .ok }
        return result.accepted > 0 ? .partial : .conflict
    }

    /// Accepts each for itself, then lets them go live together: one publication, or one release.
    private static func accept(
        _ ids: [ID<Submission>], _ feeds: [ID<Entry>], _ categories: [ID<Entry>], _ goLive: GoLive,
        _ database: Database, _ decide: DecideSubmission, by actor: Actor
    ) async throws -> Accepted {
        var result = Accepted()
        var entries: Set<ID<Entry>> = []
        for id in ids {
            do {
                let draft = Decision.Draft(verdict: .accept, feeds: feeds, categories: categories, goLive: .approveOnly)
                let outcome = try await decide(id, draft, version: nil, by: actor)
                result.accepted += 1
                if let entry = outcome.entry { entries.insert(entry) }
            } catch let failure as Failure {
                result.refused.append(Accepted.Refused(id: id.description, reason: failure.sentence))
            }
        }
        let changes = try await database.publications.ready().filter { entries.contains($0.entry) }
        guard !changes.isEmpty else { return result }
        let publish = PublishRelease(database: database)
        switch goLive {
        case .approveOnly: break
        case .now: result.publication = try await publish.now(changes, note: "accepted together", by: actor)
        case .at(let time):
            result.release = try await ComposeRelease(database: database).make(
                title: "accepted together", holding: changes, at: time, by: actor)
        }
        return result
    }

    private static func describe(_ result: Accepted) -> String {
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
        let actor = run.operatorActor
        let message = run.arguments.text("message")
        try await run.withDatabase { database, rules in
            let decide = DecideSubmission(database: database, rules: rules)
            for id in ids {
                let draft = Decision.Draft(verdict: .reject, reason: reason, message: message)
                _ = try await decide(id, draft, version: nil, by: actor)
            }
        }
        if run.isJSON {
            try Output.json(["rejected": ids.count])
        } else {
            Output.line("\(ids.count) rejected.")
        }
        return .ok
    }
}
