// The titles of referenced entries and catalog items, so that pages show titles instead of ids.
import Domain
import Localization
import Store

struct EntryTitles: Sendable {
    private var titles: [ID<Entry>: String] = [:]

    /// Loads the titles of all entries and items referenced by these contents of one type.
    static func load(_ contents: [Content], of type: ContentType, _ database: Database) async throws -> EntryTitles {
        var found = try await items(of: contents, type, database)
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

    /// The same for a page of a preview link: what readers will see, and no drafts.
    static func load(
        _ content: Content, of type: ContentType, in snapshot: SnapshotStore, _ database: Database
    ) async throws -> EntryTitles {
        var found = try await items(of: [content], type, database)
        let ids = Set(content.references(of: type).map(\.id)).subtracting(found.titles.keys)
        found.titles.merge(try await snapshot.titles(of: Array(ids))) { first, _ in first }
        return found
    }

    private static func items(
        of contents: [Content], _ type: ContentType, _ database: Database
    ) async throws -> EntryTitles {
        var found = EntryTitles()
        let uses = Set(contents.flatMap { $0.catalogUses(of: type).flatMap(\.items).map(\.id) })
        for item in try await database.catalogItems?.find(Array(uses)) ?? [] {
            found.titles[ID(item.id.uuid)] = item.title
        }
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
