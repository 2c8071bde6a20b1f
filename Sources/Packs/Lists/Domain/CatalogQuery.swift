// A query to the source of a catalog: the search and its values.
import Domain

package struct CatalogQuery: Sendable, Hashable {
    package let kind: String
    /// The name of a search of the source's adapter: `title`, `latest`, `near`.
    package let search: String
    /// Values by field name of the search, without empty fields.
    package let values: [String: String]

    package init(kind: String, search: String, values: [String: String]) {
        self.kind = kind
        self.search = search
        self.values = values
    }

    package subscript(name: String) -> String? { values[name] }

    /// The canonical text, used as the cache key.
    package var text: String {
        var members = values.mapValues(JSONValue.string)
        members["search"] = .string(search)
        return JSONValue.object(members).canonicalText
    }
}
