// Where an entry is opened: its own page, or the form of its value in the list of settings or texts.
import Domain
import HTTP

enum EntryURL {
    /// Settings and texts are edited in their lists.
    static func of(_ id: some CustomStringConvertible, _ kind: ContentType.Kind?) -> String {
        if kind == .setting { return setting(id) }
        if kind == .text { return text(id) }
        return AdminURL.entry(id)
    }

    /// On the site that readers use, whose URLs have `{slug}` or `{id}` in place of the entry.
    static func onSite(_ id: some CustomStringConvertible, slug: String, _ site: String) -> String {
        site.replacing("{slug}", with: PercentCoding.encode(slug)).replacing("{id}", with: id.description)
    }

    static func setting(_ id: some CustomStringConvertible) -> String { AdminURL.settings() + "#value-\(id)" }

    /// The list without filters, so that it contains the text.
    static func text(_ id: some CustomStringConvertible) -> String { AdminURL.texts() + "#value-\(id)" }
}
