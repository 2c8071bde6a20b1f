// An event in the history of an object: who did what, and when.
import Store

struct HistoryEvent: Encodable, Sendable {
    let when: Instant
    let text: String

    /// `title` is that of the object.
    init(_ row: AuditLine, title: String) {
        when = Instant(row.happenedAt)
        text = AuditSentence.text(row, title: title)
    }
}
