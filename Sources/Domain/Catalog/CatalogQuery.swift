// What is asked of a catalog's source: which search, with which words.

package struct CatalogQuery: Sendable, Hashable {
    package let kind: String
    /// The name of one of the searches that the source's adapter knows: `title`, `latest`, `near`.
    package let search: String
    /// By the names of the search's fields; fields that say nothing are not in it.
    package let values: [String: String]

    package init(kind: String, search: String, values: [String: String]) {
        self.kind = kind
        self.search = search
        self.values = values
    }

    package subscript(name: String) -> String? { values[name] }

    /// The one way to write this question: equal questions are answered from one memory.
    package var text: String {
        var members = values.mapValues(JSONValue.string)
        members["search"] = .string(search)
        return JSONValue.object(members).canonicalText
    }
}
