// Where an entry is opened: its own page, or the form of its value in the list of settings or texts.
import Domain

enum EntryURL {
    /// Settings and texts are edited in their lists.
    static func of(_ id: some CustomStringConvertible, _ kind: ContentType.Kind?) -> String {
        if kind == .setting { return setting(id) }
        if kind == .text { return text(id) }
        return AdminURL.entry(id)
    }

    static func setting(_ id: some CustomStringConvertible) -> String { AdminURL.settings() + "#value-\(id)" }

    /// The list without filters, so that it contains the text.
    static func text(_ id: some CustomStringConvertible) -> String { AdminURL.texts() + "#value-\(id)" }
}
