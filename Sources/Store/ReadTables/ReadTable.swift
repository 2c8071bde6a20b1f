// The replicated read tables with their keys: reads one row by its key, or all of them page by page.
import Domain
import Postgres

/// A table written by publications. A row's key is the text of its key columns joined with `/`, as in the change feed.
package struct ReadTable: Sendable {
    package struct Column: Sendable {
        package let name: String
        let type: String

        /// Whether PostgreSQL accepts a text as this type; cursors are untrusted input.
        func accepts(_ text: String) -> Bool {
            switch type {
            case "uuid": ID<Entry>(text) != nil
            case "integer": Int32(text) != nil
            case "timestamptz": Timestamp(text.replacing(" ", with: "T") + (text.hasSuffix("+00") ? ":00" : "")) != nil
            default: true
            }
        }
    }

    package let name: String
    package let key: [Column]
    /// Whether guests may see it.
    package let isForGuests: Bool
    /// Whether its rows have a document; otherwise the row's columns are read.
    let hasDocument: Bool

    static let core: [ReadTable] = [
        ReadTable("category"), ReadTable("category_group"),
        ReadTable("category_member", key: [("category_id", "uuid"), ("member_id", "uuid")], hasDocument: false),
        ReadTable("discover", key: [("kind", "text"), ("id", "uuid")]),
        ReadTable("feed"), ReadTable("feed_full", isForGuests: false),
        ReadTable("feed_item", key: [("feed_id", "uuid"), ("item_id", "uuid")], hasDocument: false),
        ReadTable("item"), ReadTable("item_full", isForGuests: false), ReadTable("media", isForGuests: false),
        ReadTable(
            "offline_file", key: [("feed_id", "uuid"), ("media_id", "uuid"), ("width", "integer")], isForGuests: false),
        ReadTable("offline_manifest", key: [("feed_id", "uuid")], isForGuests: false),
        ReadTable("onboarding_screen", key: [("set_id", "uuid"), ("position", "integer")]),
        ReadTable("onboarding_set"),
        ReadTable("redirect", key: [("kind", "text"), ("slug", "text")], hasDocument: false), ReadTable("search"),
        ReadTable("search_full", isForGuests: false, hasDocument: false), ReadTable("setting"),
        ReadTable("text", key: [("id", "uuid"), ("locale", "text")]),
        ReadTable("tombstone", hasDocument: false), ReadTable("video", isForGuests: false),
    ]

    /// `key` lists its columns with their types.
    package init(
        _ name: String, key: [(String, String)] = [("id", "uuid")], isForGuests: Bool = true, hasDocument: Bool = true
    ) {
        self.name = name
        self.key = key.map { Column(name: $0.0, type: $0.1) }
        self.isForGuests = isForGuests
        self.hasDocument = hasDocument
    }

    /// The replicated content of a row of `t`.
    var content: String { hasDocument ? "t.document" : "row_to_json(t)" }

    var keyText: String { key.map { "t.\($0.name)::text" }.joined(separator: " || '/' || ") }

    /// The columns of the key, for sorting and comparing.
    var keyColumns: String { key.map { "t.\($0.name)" }.joined(separator: ", ") }

    /// The condition that the row of `t` has the key given as text.
    func hasKey(_ text: String) -> String {
        if key.count == 1 { return "t.\(key[0].name) = \(text)::\(key[0].type)" }
        return key.enumerated().map { index, column in
            "t.\(column.name) = split_part(\(text), '/', \(index + 1))::\(column.type)"
        }.joined(separator: " and ")
    }
}
