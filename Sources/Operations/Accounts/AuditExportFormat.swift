// Formats audit events for export: CSV for spreadsheets, JSON Lines for programs (S8).
import Domain
import Markup
import Platform
import Store

package enum AuditExportFormat: String, Sendable, CaseIterable {
    case csv
    /// One JSON object per line.
    case jsonl

    /// The header line of CSV; empty for JSON Lines.
    package var header: String {
        switch self {
        case .csv:
            CSVWriter.line([
                "id", "happened_at", "actor", "role", "action", "object_type", "object_id", "detail", "request_id",
                "remote_address",
            ])
        case .jsonl: ""
        }
    }

    package func line(_ event: AuditRow) -> String {
        let time = InstantText.text(event.happenedAt)
        switch self {
        case .csv:
            return CSVWriter.line([
                String(event.id), time, event.actor, event.role ?? "", event.action, event.objectType,
                event.objectID ?? "", event.detail.canonicalText, event.requestID ?? "", event.remoteAddress ?? "",
            ])
        case .jsonl:
            func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
            let document: JSONValue = .object([
                "id": .int(event.id), "happened_at": .string(time), "actor": .string(event.actor),
                "actor_id": .string(event.actorID.uuidString.lowercased()), "role": text(event.role),
                "action": .string(event.action), "object_type": .string(event.objectType),
                "object_id": text(event.objectID),
                "detail": event.detail, "request_id": text(event.requestID),
                "remote_address": text(event.remoteAddress),
            ])
            return document.canonicalText + "\n"
        }
    }
}
