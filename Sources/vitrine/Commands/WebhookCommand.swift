// Creates, lists, shows, deletes, pauses, rotates, tests and replays webhooks.
import CommandKit
import Domain
import FoundationEssentials
import Platform
import Store
import Webhooks

enum WebhookCommand {
    private enum Arguments {
        static let events = Command.Option(
            "events", .text(placeholder: "LIST"),
            "Comma-separated events, all by default: \(names.joined(separator: ",")).")
        static let note = Command.Option("note", .text(placeholder: "TEXT"), "Note.")
        static let url = Command.Positional("url", "URL that receives messages.")
        static let delivery = Command.Option(
            "delivery", .text(placeholder: "ID"), "Replay this delivery under the same id.")
        static let since = Command.Option(
            "since", .integer(placeholder: "N", in: 1...Int(Int32.max)),
            "Replay this and all later publications, including those never delivered.")
    }

    private static let id = Command.Positional("id", "Webhook id.")
    private static let data = Command.Option(
        "data", .text(placeholder: "DIR"), "Data folder of the daemon, which has the key.", setting: "data.dir")

    static let entries = [
        CommandEntry(
            command: Command(
                "webhook", "create", summary: "Create a webhook and print its secret once.",
                details: "Use the daemon's configuration: its key encrypts the secret.",
                examples: [
                    .init("webhook create https://app.example/hooks", "all events"),
                    .init("webhook create https://app.example/hooks --events entry.unpublished", "one event"),
                ],
                options: [
                    Arguments.events, Arguments.note, data, CommandRun.json,
                ],
                positionals: [Arguments.url]),
            run: create),
        CommandEntry(
            command: Command("webhook", "list", summary: "List webhooks.", options: [CommandRun.json]), run: list),
        CommandEntry(
            command: Command(
                "webhook", "show", summary: "Show a webhook.", options: [CommandRun.json], positionals: [id]),
            run: show),
        CommandEntry(
            command: Command(
                "webhook", "delete", summary: "Delete a webhook and its log.", options: [CommandRun.json],
                positionals: [id]),
            run: delete),
        CommandEntry(
            command: Command(
                "webhook", "pause", summary: "Pause a webhook and keep its deliveries for later.",
                options: [CommandRun.json], positionals: [id]),
            run: pause),
        CommandEntry(
            command: Command(
                "webhook", "resume", summary: "Resume a paused or disabled webhook.",
                options: [CommandRun.json], positionals: [id]),
            run: resume),
        CommandEntry(
            command: Command(
                "webhook", "rotate", summary: "Rotate the secret of a webhook and print it once.",
                details: "The old secret stays valid for 24 hours.",
                options: [data, CommandRun.json], positionals: [id]),
            run: rotate),
        CommandEntry(
            command: Command(
                "webhook", "test", summary: "Send a test message to a webhook.", options: [CommandRun.json],
                positionals: [id]),
            run: test),
        CommandEntry(
            command: Command(
                "webhook", "replay", summary: "Replay one delivery, or all since a publication.",
                examples: [.init("webhook replay 0197... --since 42", "publications 42 and later")],
                options: [
                    Arguments.delivery, Arguments.since, CommandRun.json,
                ],
                positionals: [id]),
            run: replay),
    ]

    private static let names = WebhookEvent.subscribable.map(\.rawValue)

    // MARK: Output

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

    private static func report(_ row: WebhookRow, _ run: CommandRun) throws {
        if run.isJSON { return try Output.json(Line(row)) }
        let reason = row.reason.map { ": \($0)" } ?? ""
        let missed = row.missedFrom.map { ", not notified since publication \($0)" } ?? ""
        var last = ""
        if let error = row.lastError { last = ", last failed: \(error)" }
        if let status = row.lastStatus { last = ", last response \(status)" }
        Output.line("\(row.id)  \(row.state.rawValue)  \(row.url)  \(row.waiting) waiting\(last)\(missed)\(reason)")
    }

    private static func report(_ id: ID<Webhook>, _ secret: SigningSecret, _ run: CommandRun) throws {
        if run.isJSON { return try Output.json(Secret(id: id.description, secret: secret.text)) }
        Output.line("id: \(id)\nsecret: \(secret.text)")
        Output.note("Store the secret now. It won't be shown again.")
    }

    // MARK: Commands

    private static func create(_ run: CommandRun) async throws -> ExitCode {
        let texts = run.arguments.text(Arguments.events)?.split(separator: ",").map(String.init) ?? names
        let events = try texts.map { text in
            guard let event = WebhookEvent(rawValue: text), WebhookEvent.subscribable.contains(event) else {
                throw Failure.invalid(
                    FieldErrors(
                        "--events", "choice",
                        "\"\(text)\" isn't an event. Choose from \(names.joined(separator: ", "))."))
            }
            return event
        }
        let created = try await manage(run) { manage, _ in
            try await manage.create(
                url: run.arguments.argument(Arguments.url) ?? "", events: events,
                note: run.arguments.text(Arguments.note) ?? "",
                by: run.operatorActor)
        }
        try report(created.id, created.secret, run)
        return .ok
    }

    private static func list(_ run: CommandRun) async throws -> ExitCode {
        let rows = try await run.withDatabase { database, _ in try await database.webhooks.list() }
        for row in rows { try report(row, run) }
        return .ok
    }

    private static func show(_ run: CommandRun) async throws -> ExitCode {
        try await change(run) { _, _ in }
    }

    private static func delete(_ run: CommandRun) async throws -> ExitCode {
        let id = try find(run)
        try await manage(run) { manage, _ in try await manage.delete(id, by: run.operatorActor) }
        if run.isJSON { try Output.json(["deleted": id.description]) } else { Output.line("Webhook deleted.") }
        return .ok
    }

    private static func pause(_ run: CommandRun) async throws -> ExitCode {
        try await change(run) { try await $0.pause($1, by: run.operatorActor) }
    }

    private static func resume(_ run: CommandRun) async throws -> ExitCode {
        try await change(run) { try await $0.resume($1, by: run.operatorActor) }
    }

    private static func rotate(_ run: CommandRun) async throws -> ExitCode {
        let id = try find(run)
        let secret = try await manage(run) { manage, _ in try await manage.rotate(id, by: run.operatorActor) }
        try report(id, secret, run)
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
            Output.line("Test message \(message) queued. See \"vitrine webhook-delivery list \(id)\".")
        }
        return .ok
    }

    private struct Replayed: Encodable {
        let deliveries: Int
    }

    private static func replay(_ run: CommandRun) async throws -> ExitCode {
        let id = try find(run)
        let since = run.arguments.integer(Arguments.since)
        let delivery: ID<WebhookDelivery>? = try run.arguments.text(Arguments.delivery).map { try run.id($0) }
        guard (since == nil) != (delivery == nil) else {
            throw Failure.invalid(FieldErrors("replay", "required", "Use either --delivery or --since."))
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
            Output.line("\(count) deliveries queued again.")
        }
        return .ok
    }

    // MARK: The webhook of a command

    private static func find(_ run: CommandRun) throws -> ID<Webhook> {
        try run.id(run.arguments.argument(Self.id) ?? "")
    }

    private static func manage<Value: Sendable>(
        _ run: CommandRun, _ body: @Sendable (ManageWebhook, Database) async throws -> Value
    ) async throws -> Value {
        let rules = try WebhookRules(try run.settings())
        return try await run.withDatabase { database, _ in
            try await AdoptKey(database: database, rules: rules).atStart(by: run.operatorActor, mayCreate: false)
            return try await body(ManageWebhook(database: database, rules: rules), database)
        }
    }

    /// Runs `body` on the webhook and prints its new state.
    private static func change(
        _ run: CommandRun, _ body: @Sendable (ManageWebhook, ID<Webhook>) async throws -> Void
    ) async throws -> ExitCode {
        let id = try find(run)
        let row = try await manage(run) { manage, database in
            try await body(manage, id)
            return try await database.webhooks.find(id)
        }
        guard let row else { throw Failure.missing("webhook") }
        try report(row, run)
        return .ok
    }
}
