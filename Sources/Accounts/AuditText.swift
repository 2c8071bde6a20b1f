// Audit events as files: lines of JSON for programs, a table for people (S8).
import Domain
import Markup
import Platform
import Store

package enum AuditText: String, Sendable, CaseIterable {
    case csv
    /// One JSON document a line.
    case jsonl

    /// The first line of a table; nothing before lines of JSON.
    package var head: String {
        switch self {
        case .csv:
            CSVWriter.line([
                "id", "happened_at", "actor", "role", "action", "object_type", "object_id", "detail", "request_id",
                "address",
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
                event.objectID ?? "", event.detail.canonicalText, event.requestID ?? "", event.address ?? "",
            ])
        case .jsonl:
            func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
            let document: JSONValue = .object([
                "id": .int(event.id), "happened_at": .string(time), "actor": .string(event.actor),
                "actor_id": .string(event.actorID.uuidString.lowercased()), "role": text(event.role),
                "action": .string(event.action), "object_type": .string(event.objectType), "object_id": text(event.objectID),
                "detail": event.detail, "request_id": text(event.requestID), "address": text(event.address),
            ])
            return document.canonicalText + "\n"
        }
    }
}
