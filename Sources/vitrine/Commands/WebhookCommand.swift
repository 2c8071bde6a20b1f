// Creates, lists, shows, deletes, pauses, rotates, tests and replays webhooks.
import CommandKit
import Domain
import FoundationEssentials
import Operations
import Platform
import Store

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
            "webhook", "create", summary: "Create a webhook and print its secret once.",
            details: "Use the daemon's configuration: its key encrypts the secret.",
            examples: [
                .init("webhook create https://app.example/hooks", "all events"),
                .init("webhook create https://app.example/hooks --events entry.unpublished", "one event"),
            ],
            options: [Arguments.events, Arguments.note, data, CommandRun.json], positionals: [Arguments.url],
            run: create),
        CommandEntry("webhook", "list", summary: "List webhooks.", options: [CommandRun.json], run: list),
        CommandEntry(
            "webhook", "show", summary: "Show a webhook.", options: [CommandRun.json], positionals: [id], run: show),
        CommandEntry(
            "webhook", "delete", summary: "Delete a webhook and its log.", options: [CommandRun.json],
            positionals: [id], run: delete),
        CommandEntry(
            "webhook", "pause", summary: "Pause a webhook and keep its deliveries for later.",
            options: [CommandRun.json], positionals: [id], run: pause),
        CommandEntry(
            "webhook", "resume", summary: "Resume a paused or disabled webhook.", options: [CommandRun.json],
            positionals: [id], run: resume),
        CommandEntry(
            "webhook", "rotate", summary: "Rotate the secret of a webhook and print it once.",
            details: "The old secret stays valid for 24 hours.", options: [data, CommandRun.json], positionals: [id],
            run: rotate),
        CommandEntry(
            "webhook", "test", summary: "Send a test message to a webhook.", options: [CommandRun.json],
            positionals: [id], run: test),
        CommandEntry(
            "webhook", "replay", summary: "Replay one delivery, or all since a publication.",
            examples: [.init("webhook replay 0197... --since 42", "publications 42 and later")],
            options: [Arguments.delivery, Arguments.since, CommandRun.json], positionals: [id], run: replay),
    ]

    private static let names = WebhookEvent.subscribable.map(\.rawValue)

    // MARK: Output

    private static let columns: [Column<WebhookRow>] = [
        .both("id") { $0.id }, .both("state") { $0.state.rawValue }, .both("url") { $0.url },
        .json("note") { $0.note }, .json("events") { $0.events.map(\.rawValue) }, .json("reason") { $0.reason },
        .json("missed_from") { $0.missedFrom }, .json("waiting") { $0.waiting },
        .json("last_attempt_at") { $0.lastAttemptAt }, .json("last_delivered") { $0.wasDelivered },
        .json("last_status") { $0.lastStatus }, .json("last_error") { $0.lastError },
        .text { row in
            let reason = row.reason.map { ": \($0)" } ?? ""
            let missed = row.missedFrom.map { ", not notified since publication \($0)" } ?? ""
            var last = ""
            if let error = row.lastError { last = ", last failed: \(error)" }
            if let status = row.lastStatus { last = ", last response \(status)" }
            return "\(row.waiting) waiting\(last)\(missed)\(reason)"
        },
    ]

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
        return try run.report(created.id, secret: created.secret.text)
    }

    private static func list(_ run: CommandRun) async throws -> ExitCode {
        try run.list(try await run.withDatabase { database, _ in try await database.webhooks.list() }, columns)
    }

    private static func show(_ run: CommandRun) async throws -> ExitCode {
        try await change(run) { _, _ in }
    }

    private static func delete(_ run: CommandRun) async throws -> ExitCode {
        let id = try find(run)
        try await manage(run) { manage, _ in try await manage.delete(id, by: run.operatorActor) }
        return try run.report(["deleted": id], "Webhook deleted.")
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
        return try run.report(id, secret: secret.text)
    }

    private static func test(_ run: CommandRun) async throws -> ExitCode {
        let id = try find(run)
        let message = try await manage(run) { manage, _ in try await manage.test(id, by: run.operatorActor) }
        return try run.report(
            ["delivery": message], "Test message \(message) queued. See \"vitrine webhook-delivery list \(id)\".")
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
        return try run.report(["deliveries": count], "\(count) deliveries queued again.")
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
        return try run.show(row, columns)
    }
}
