// The titles of referenced entries and catalog items, so that pages show titles instead of ids.
import Domain
import Localization
import Store

struct EntryTitles: Sendable {
    private var titles: [ID<Entry>: String] = [:]

    /// Loads the titles of all entries and items referenced by these contents of one type.
    static func load(_ contents: [Content], of type: ContentType, _ database: Database) async throws -> EntryTitles {
        var found = EntryTitles()
        let uses = Set(contents.flatMap { $0.catalogUses(of: type).flatMap(\.items).map(\.id) })
        for item in try await database.catalogItems?.find(Array(uses)) ?? [] {
            found.titles[ID(item.id.uuid)] = item.title
        }
        let ids = Set(contents.flatMap { $0.references(of: type).map(\.id) })
        if ids.isEmpty { return found }
        for kind in [ContentType.Kind.feed, .category, .categoryGroup] {
            guard ids.contains(where: { found.titles[$0] == nil }) else { break }
            for choice in try await database.entries.choices(kind) { found.titles[choice.id] = choice.title }
        }
        let missing = ids.filter { found.titles[$0] == nil }
        for (id, title) in try await database.entries.titles(of: Array(missing)) { found.titles[id] = title }
        return found
    }

    /// For comparing contents on this page.
    func comparing(on request: AdminRequest) -> DiffTable.Context {
        DiffTable.Context(titles: self, images: request.images)
    }

    /// For people to read.
    static func shown(_ title: String) -> String { title.isEmpty ? tr("(no title)") : title }

    /// The title; the id of a missing entry.
    func callAsFunction(_ id: ID<Entry>) -> String {
        titles[id] ?? id.description
    }
}
