// Webhooks from the command line: added, looked at, paused, rotated, tried out, replayed.
import Domain
import FoundationEssentials
import Platform
import Store
import Webhooks

enum WebhookCommand {
    private static let id = Command.Positional("webhook", "Its id.")
    private static let data = Command.Option(
        "data", .text(placeholder: "DIR"), "Where the daemon keeps its files, among them the key.", setting: "data.dir")

    static let entries = [
        CommandEntry(
            command: Command(
                "webhook", "add", summary: "Tells another server what is published; prints its secret, once.",
                details: "Use the daemon's configuration: secrets are sealed with its key.",
                examples: [
                    .init("webhook add https://app.example/hooks", "everything"),
                    .init("webhook add https://app.example/hooks --events entry.withdrawn", "only this"),
                ],
                options: [
                    .init(
                        "events", .text(placeholder: "LIST"),
                        "What to tell, with commas: \(names.joined(separator: ",")). All when it is left out."),
                    .init("note", .text(placeholder: "TEXT"), "What it is for."), data, CommandRun.json,
                ],
                positionals: [.init("url", "Where messages are sent.")]),
            run: add),
        CommandEntry(
            command: Command("webhook", "list", summary: "Lists the webhooks.", options: [CommandRun.json]), run: list),
        CommandEntry(
            command: Command(
                "webhook", "show", summary: "Shows a webhook.", options: [CommandRun.json], positionals: [id]),
            run: show),
        CommandEntry(
            command: Command(
                "webhook", "remove", summary: "Removes a webhook and its log.", options: [CommandRun.json],
                positionals: [id]),
            run: remove),
        CommandEntry(
            command: Command(
                "webhook", "pause", summary: "Keeps what a webhook is told for later.", options: [CommandRun.json],
                positionals: [id]),
            run: pause),
        CommandEntry(
            command: Command(
                "webhook", "resume", summary: "Goes on telling a webhook that was paused or disabled.",
                options: [CommandRun.json], positionals: [id]),
            run: resume),
        CommandEntry(
            command: Command(
                "webhook", "rotate", summary: "Makes a new secret and prints it, once; both are valid for 24 hours.",
                options: [data, CommandRun.json], positionals: [id]),
            run: rotate),
        CommandEntry(
            command: Command(
                "webhook", "test", summary: "Sends a message that stands for nothing.", options: [CommandRun.json],
                positionals: [id]),
            run: test),
        CommandEntry(
            command: Command(
                "webhook", "replay", summary: "Sends again one delivery, or all since a publication.",
                examples: [.init("webhook replay 0197... --since 42", "publications 42 and later")],
                options: [
                    .init("delivery", .text(placeholder: "ID"), "This delivery, with the id that it had."),
                    .init(
                        "since", .integer(placeholder: "N", in: 1...Int(Int32.max)),
                        "All of this publication and later ones, also what it was never told."), CommandRun.json,
                ],
                positionals: [id]),
            run: replay),
        CommandEntry(
            command: Command(
                "webhook", "deliveries", summary: "Lists what a webhook was told, newest first.",
                options: [
                    .init("limit", .integer(placeholder: "N", in: 1...1000), "At most so many; 50."),
                    CommandRun.json,
                ],
                positionals: [id]),
            run: deliveries),
    ]

    private static let names = WebhookEvent.subscribable.map(\.rawValue)

    // MARK: Answers

    private struct Secret: Encodable {
        let id: String
        let secret: String
    }

    private struct Line: Encodable {
        let id: String
        let url: String
        let note: String
        let events: [String]
        let state: String
        let reason: String?
        let missed_from: Int64?
        let waiting: Int
        let last_attempt_at: Date?
        let last_delivered: Bool?
        let last_status: Int?
        let last_error: String?

        init(_ row: WebhookRow) {
            id = row.id.description
            url = row.url
            note = row.note
            events = row.events.map(\.rawValue)
            state = row.state.rawValue
            reason = row.reason
            missed_from = row.missedFrom
            waiting = row.waiting
            last_attempt_at = row.lastAttemptAt
            last_delivered = row.wasDelivered
            last_status = row.lastStatus
            last_error = row.lastError
        }
    }

    private static func notify(_ row: WebhookRow, _ run: CommandRun) throws {
        if run.isJSON { return try Output.json(Line(row)) }
        let reason = row.reason.map { ": \($0)" } ?? ""
        let missed = row.missedFrom.map { ", not told since publication \($0)" } ?? ""
        var last = ""
        if let error = row.lastError { last = ", last failed: \(error)" }
        if let status = row.lastStatus { last = ", last answered \(status)" }
        Output.line("\(row.id)  \(row.state.rawValue)  \(row.url)  \(row.waiting) waiting\(last)\(missed)\(reason)")
    }

    private static func notify(_ id: ID<Webhook>, _ secret: WebhookSecret, _ run: CommandRun) throws {
        if run.isJSON { return try Output.json(Secret(id: id.description, secret: secret.text)) }
        Output.line("id: \(id)\nsecret: \(secret.text)")
        Output.note("The secret is not shown again.")
    }

    // MARK: Commands

    private static func add(_ run: CommandRun) async throws -> ExitCode {
        let words = run.arguments.text("events")?.split(separator: ",").map(String.init) ?? names
        let events = try words.map { word in
            guard let event = WebhookEvent(rawValue: word), WebhookEvent.subscribable.contains(event) else {
                throw Failure.invalid(
                    FieldErrors(
                        "--events", "choice",
                        "\"\(word)\" is nothing to be told; there are \(names.joined(separator: ", "))."))
            }
            return event
        }
        let made = try await manage(run) { manage, _ in
            try await manage.add(
                url: run.arguments.argument("url") ?? "", events: events, note: run.arguments.text("note") ?? "",
                by: run.operatorActor)
        }
        try notify(made.id, made.secret, run)
        return .ok
    }

    private static func list(_ run: CommandRun) async throws -> ExitCode {
        let rows = try await run.withDatabase { database, _ in try await database.webhooks.list() }
        for row in rows { try notify(row, run) }
        return .ok
    }

    private static func show(_ run: CommandRun) async throws -> ExitCode {
        try await action(run) { _, _ in }
    }

    private static func remove(_ run: CommandRun) async throws -> ExitCode {
        let id = try find(run)
        try await manage(run) { manage, _ in try await manage.remove(id, by: run.operatorActor) }
        if !run.isJSON { Output.line("The webhook is removed.") }
        return .ok
    }

    private static func pause(_ run: CommandRun) async throws -> ExitCode {
        try await action(run) { try await $0.pause($1, by: run.operatorActor) }
    }

    private static func resume(_ run: CommandRun) async throws -> ExitCode {
        try await action(run) { try await $0.resume($1, by: run.operatorActor) }
    }

    private static func rotate(_ run: CommandRun) async throws -> ExitCode {
        let id = try find(run)
        let secret = try await manage(run) { manage, _ in try await manage.rotate(id, by: run.operatorActor) }
        try notify(id, secret, run)
        return .ok
    }

    private struct Sent: Encodable {
        let delivery: String
    }

    private static func test(_ run: CommandRun) async throws -> ExitCode {
        let id = try find(run)
        let message = try await manage(run) { manage, _ in try await manage.test(id, by: run.operatorActor) }
        if run.isJSON {
            try Output.json(Sent(delivery: message.description))
        } else {
            Output.line("\(message) is sent; \"vitrine webhook deliveries \(id)\" tells what was answered.")
        }
        return .ok
    }

    private struct Replayed: Encodable {
        let deliveries: Int
    }

    private static func replay(_ run: CommandRun) async throws -> ExitCode {
        let id = try find(run)
        let since = run.arguments.integer("since")
        let delivery: ID<WebhookDelivery>? = try run.arguments.text("delivery").map { try run.id($0) }
        guard (since == nil) != (delivery == nil) else {
            throw Failure.invalid(FieldErrors("replay", "required", "Say either --delivery or --since."))
        }
        let count = try await manage(run) { manage, _ in
            if let delivery {
                try await manage.replay(delivery, of: id, by: run.operatorActor)
                return 1
            }
            return try await manage.replay(from: Int64(since ?? 1), of: id, by: run.operatorActor)
        }
        if run.isJSON {
            try Output.json(Replayed(deliveries: count))
        } else {
            Output.line("\(count) deliveries are sent again.")
        }
        return .ok
    }

    private struct Delivery: Encodable {
        struct Attempt: Encodable {
            let at: Date
            let duration_ms: Int
            let status: Int?
            let error: String?
            let answer: String
        }

        let id: String
        let type: String
        let publication: Int64?
        let entry: String?
        let state: String
        let created_at: Date
        let next_at: Date?
        let attempts: [Attempt]
    }

    private static func deliveries(_ run: CommandRun) async throws -> ExitCode {
        let id = try find(run)
        try await run.withDatabase { database, _ in
            guard try await database.webhooks.find(id) != nil else { throw Failure.missing("webhook") }
            let limit = run.arguments.integer("limit") ?? 50
            for row in try await database.webhookMessages.page(of: id, cursor: nil, limit: limit).items {
                try notify(row, try await database.webhookMessages.attempts(at: row.id, limit: 20), run)
            }
        }
        return .ok
    }

    private static func notify(_ row: WebhookDeliveryRow, _ attempts: [WebhookAttempt], _ run: CommandRun) throws {
        if run.isJSON {
            try Output.json(
                Delivery(
                    id: row.id.description, type: row.type.rawValue, publication: row.publication,
                    entry: row.entry?.description, state: row.state.rawValue, created_at: row.createdAt,
                    next_at: row.state == .waiting ? row.nextAt : nil,
                    attempts: attempts.map { attempt in
                        .init(
                            at: attempt.startedAt, duration_ms: attempt.durationMilliseconds, status: attempt.status,
                            error: attempt.error, answer: attempt.answer)
                    }))
            return
        }
        let last = attempts.first.map { $0.error ?? $0.status.map { "answered \($0)" } ?? "" } ?? "not sent so far"
        Output.line("\(row.id)  \(row.type.rawValue)  \(row.state.rawValue)  \(attempts.count) attempts, \(last)")
    }

    // MARK: The webhook that a command names

    private static func find(_ run: CommandRun) throws -> ID<Webhook> {
        try run.id(run.arguments.argument("webhook") ?? "")
    }

    private static func manage<Value: Sendable>(
        _ run: CommandRun, _ body: @Sendable (ManageWebhook, Database) async throws -> Value
    ) async throws -> Value {
        let rules = try WebhookRules(try run.settings())
        return try await run.withDatabase { database, _ in
            try await body(ManageWebhook(database: database, rules: rules), database)
        }
    }

    /// Does something to the webhook, and tells how it is afterwards.
    private static func action(
        _ run: CommandRun, _ body: @Sendable (ManageWebhook, ID<Webhook>) async throws -> Void
    ) async throws -> ExitCode {
        let id = try find(run)
        let row = try await manage(run) { manage, database in
            try await body(manage, id)
            return try await database.webhooks.find(id)
        }
        guard let row else { throw Failure.missing("webhook") }
        try notify(row, run)
        return .ok
    }
}
