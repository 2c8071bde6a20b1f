// The filters and the cursor of the list of decided submissions, as the query string carries them from page to page.
import Domain
import HTTP
import Store

struct DecidedQuery: Sendable {
    /// Only the decisions of the signed-in person.
    var isMine: Bool
    let verdict: Verdict?
    let type: String?
    /// `resubmit` or `appeal`: decided after the contributor had reopened it.
    let reopenedBy: String?
    /// The search text.
    let q: String?
    /// The cursor of the page.
    let cursor: String?

    /// Empty and invalid fields are ignored.
    init(_ query: FormFields) {
        isMine = query.first("by") == "me"
        verdict = query.text("verdict").flatMap { Verdict(rawValue: $0) }
        type = query.filterText("type")
        reopenedBy = query.text("reopened_by").flatMap { ["resubmit", "appeal"].contains($0) ? $0 : nil }
        q = query.filterText("q")
        cursor = query.text("cursor")
    }

    /// Parses a query string without `?`; an invalid one has no filters.
    init(queryString: String) {
        self.init((try? FormFields(urlEncoded: queryString.utf8)) ?? FormFields())
    }

    var isFiltered: Bool { verdict != nil || type != nil || reopenedBy != nil || q != nil }

    func filter(for request: AdminRequest) -> DecidedFilter {
        var filter = DecidedFilter()
        filter.decider = isMine ? request.session?.account : nil
        filter.verdict = verdict
        filter.type = type
        filter.after = reopenedBy
        return filter
    }

    /// The filters and this cursor, without empty ones; `without`: a filter that is left out.
    func fields(cursor: String?, without left: String? = nil) -> FormFields {
        var fields = FormFields()
        let all: [(String, String?)] = [
            ("by", isMine ? "me" : nil), ("verdict", verdict?.rawValue), ("type", type), ("reopened_by", reopenedBy),
            ("q", q), ("cursor", cursor),
        ]
        for (name, value) in all { if let value, name != left { fields.append(name, value) } }
        return fields
    }

    /// The list with these filters, at its page.
    func url() -> String { url(cursor: cursor) }

    func url(cursor: String?, without left: String? = nil) -> String {
        let fields = fields(cursor: cursor, without: left)
        return fields.isEmpty ? AdminURL.decided() : "\(AdminURL.decided())?\(fields.urlEncoded)"
    }

    /// The newest decisions with these filters, of the signed-in person or of everybody.
    func url(isMine: Bool) -> String {
        var other = self
        other.isMine = isMine
        return other.url(cursor: nil)
    }
}
