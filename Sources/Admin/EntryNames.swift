// The titles of entries and of things of the catalogs that others name, so that pages show names instead of ids.
import Domain
import Store

struct EntryNames: Sendable {
    private var titles: [ID<Entry>: String] = [:]

    /// Reads the titles of all entries that these contents of one type name.
    static func load(_ contents: [Content], of type: ContentType, _ database: Database) async throws -> EntryNames {
        var names = EntryNames()
        let uses = Set(contents.flatMap { $0.catalogUses(of: type).flatMap(\.items).map(\.id) })
        for item in try await database.catalogs.find(Array(uses)) { names.titles[ID(item.id.uuid)] = item.title }
        let ids = Set(contents.flatMap { $0.references(of: type).map(\.id) })
        if ids.isEmpty { return names }
        for kind in [ContentType.Kind.feed, .category, .categoryGroup] {
            guard ids.contains(where: { names.titles[$0] == nil }) else { break }
            for choice in try await database.entries.choices(kind) { names.titles[choice.id] = choice.title }
        }
        for id in ids where names.titles[id] == nil {
            names.titles[id] = try await database.entries.find(id)?.title
        }
        return names
    }

    /// The title; the id where there is no such entry.
    func callAsFunction(_ id: ID<Entry>) -> String {
        titles[id] ?? id.description
    }
}
