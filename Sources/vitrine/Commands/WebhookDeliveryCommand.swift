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
            "webhook-delivery", "list", summary: "List the deliveries of a webhook, newest first.",
            options: [Arguments.limit, CommandRun.json], positionals: [Arguments.webhook], run: list)
    ]

    private struct Attempt: Encodable {
        let at: Date
        let duration_ms: Int
        let status: Int?
        let error: String?
        let response: String
    }

    private static let columns: [Column<(row: WebhookDeliveryRow, attempts: [WebhookAttempt])>] = [
        .both("id") { $0.row.id }, .both("type") { $0.row.type.rawValue }, .both("state") { $0.row.state.rawValue },
        .json("publication") { $0.row.publication }, .json("entry") { $0.row.entry },
        .json("created_at") { $0.row.createdAt },
        .json("next_at") { $0.row.state == .waiting ? $0.row.nextAt : nil },
        .json("attempts") { delivery in
            delivery.attempts.map {
                Attempt(
                    at: $0.startedAt, duration_ms: $0.durationMilliseconds, status: $0.status, error: $0.error,
                    response: $0.response)
            }
        },
        .text { delivery in
            let last = delivery.attempts.first.map { $0.error ?? $0.status.map { "response \($0)" } ?? "" }
            return "\(delivery.attempts.count) attempts, \(last ?? "not sent yet")"
        },
    ]

    private static func list(_ run: CommandRun) async throws -> ExitCode {
        let id: ID<Webhook> = try run.id(run.arguments.argument(Arguments.webhook) ?? "")
        try await run.withDatabase { database, _ in
            guard try await database.webhooks.find(id) != nil else { throw Failure.missing("webhook") }
            let limit = run.arguments.integer(Arguments.limit) ?? 50
            for row in try await database.webhookDeliveries.page(of: id, cursor: nil, limit: limit).items {
                let attempts = try await database.webhookDeliveries.attempts(at: row.id, limit: 20)
                try run.show((row: row, attempts: attempts), columns)
            }
        }
        return .ok
    }
}
