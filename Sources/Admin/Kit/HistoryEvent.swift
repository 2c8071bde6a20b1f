// An event in the history of an object: who did what, and when.
import Store

struct HistoryEvent: Encodable, Sendable {
    let when: Instant
    let actor: String
    let action: String

    init(_ row: AuditLine) {
        when = Instant(row.happenedAt)
        actor = row.actor
        action = row.action
    }
}
