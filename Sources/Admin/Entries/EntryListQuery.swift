// The filters and cursor of the list of entries, as the query string carries them from page to page.
import Domain
import HTTP
import Store

struct EntryListQuery: Sendable {
    let filter: EntryFilter
    /// Whether entries of kinds with pages of their own are listed, too: feeds, categories, texts, settings.
    let isAll: Bool
    let cursor: String?

    /// Empty fields are ignored.
    init(_ query: FormFields) {
        var filter = EntryFilter()
        filter.type = query.filterText("type")
        filter.state = query.filterText("state")
        filter.query = query.filterText("q")
        isAll = query.first("all") == "1"
        if filter.type == nil && !isAll { filter.withoutKinds = Navigation.ownPages }
        self.filter = filter
        cursor = query.text("cursor")
    }

    /// Parses a query string without `?`; an invalid one has no filters.
    init(queryString: String) {
        self.init((try? FormFields(urlEncoded: queryString.utf8)) ?? FormFields())
    }

    /// Whether it lists something else than without a query string.
    var isFiltered: Bool { isAll || filter.type != nil || filter.state != nil || filter.query != nil }

    private func fields(cursor: String?) -> FormFields {
        var fields = FormFields()
        let all = [
            ("type", filter.type), ("state", filter.state), ("q", filter.query), ("all", isAll ? "1" : nil),
            ("cursor", cursor),
        ]
        for (name, value) in all { if let value { fields.append(name, value) } }
        return fields
    }

    /// The filters and the cursor, without `?`.
    var queryString: String {
        let fields = fields(cursor: cursor)
        return fields.isEmpty ? "" : fields.urlEncoded
    }

    var url: String { url(AdminURL.entries(), cursor: cursor) }

    /// `path` with the filters and a cursor.
    func url(_ path: String, cursor: String?) -> String {
        let fields = fields(cursor: cursor)
        return fields.isEmpty ? path : "\(path)?\(fields.urlEncoded)"
    }
}
