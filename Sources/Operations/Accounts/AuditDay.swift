// Parses the days of an audit filter, written YYYY-MM-DD; `AuditFilter.zone` says whose.
import Domain
import Localization

package enum AuditDay {
    /// The first instant of a day in UTC; nil when the text is empty. Throws at `pointer` when the text is not a date.
    package static func check(_ text: String?, pointer: String) throws(Failure) -> Timestamp? {
        guard let text, !text.isEmpty else { return nil }
        if let instant = Timestamp("\(text)T00:00:00Z") { return instant }
        throw .invalid(FieldErrors(pointer, "format", tr("Enter a date such as 2026-11-20.")))
    }
}
