// Lists the deliveries of a webhook with their attempts.
import CommandKit
import Domain
import FoundationEssentials
import Platform
import Store

enum WebhookDeliveryCommand {
    private enum Arguments {
        static let limit = Command.Option(
            "limit", .integer(placeholder: "N", in: 1...1000), "Maximum number; 50 by default.")
        static let webhook = Command.Positional("webhook", "Webhook id.")
    }

    static let entries = [
        CommandEntry(
            command: Command(
                "webhook-delivery", "list", summary: "List the deliveries of a webhook, newest first.",
                options: [
                    Arguments.limit, CommandRun.json,
                ],
                positionals: [Arguments.webhook]),
            run: list)
    ]

    private struct Line: Encodable {
        struct Attempt: Encodable {
            let at: Date
            let duration_ms: Int
            let status: Int?
            let error: String?
            let response: String
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

    private static func list(_ run: CommandRun) async throws -> ExitCode {
        let id: ID<Webhook> = try run.id(run.arguments.argument(Arguments.webhook) ?? "")
        try await run.withDatabase { database, _ in
            guard try await database.webhooks.find(id) != nil else { throw Failure.missing("webhook") }
            let limit = run.arguments.integer(Arguments.limit) ?? 50
            for row in try await database.webhookDeliveries.page(of: id, cursor: nil, limit: limit).items {
                try report(row, try await database.webhookDeliveries.attempts(at: row.id, limit: 20), run)
            }
        }
        return .ok
    }

    private static func report(_ row: WebhookDeliveryRow, _ attempts: [WebhookAttempt], _ run: CommandRun) throws {
        if run.isJSON {
            try Output.json(
                Line(
                    id: row.id.description, type: row.type.rawValue, publication: row.publication,
                    entry: row.entry?.description, state: row.state.rawValue, created_at: row.createdAt,
                    next_at: row.state == .waiting ? row.nextAt : nil,
                    attempts: attempts.map { attempt in
                        .init(
                            at: attempt.startedAt, duration_ms: attempt.durationMilliseconds, status: attempt.status,
                            error: attempt.error, response: attempt.response)
                    }))
            return
        }
        let last = attempts.first.map { $0.error ?? $0.status.map { "response \($0)" } ?? "" } ?? "not sent yet"
        Output.line("\(row.id)  \(row.type.rawValue)  \(row.state.rawValue)  \(attempts.count) attempts, \(last)")
    }
}
