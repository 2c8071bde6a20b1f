// Days as people give them to look through the audit trail: whole days of UTC.
import Domain

package enum AuditDay {
    /// The first instant of a day; nil where none is given. Throws at the field for what is no day.
    package static func check(_ text: String?, pointer: String) throws(Failure) -> Timestamp? {
        guard let text, !text.isEmpty else { return nil }
        if let instant = Timestamp("\(text)T00:00:00Z") { return instant }
        throw .invalid(FieldErrors(pointer, "format", "Write a day such as 2026-11-20."))
    }
}
