// Where an entry is used: how many members it has, or which published entries reference it.
import Domain
import Store

/// The model of `admin/entries/uses.html`.
struct EntryUsesPanel: Encodable, Sendable {
    private static let shown = 10

    struct Line: Encodable, Sendable {
        let title: String
        let url: String
    }

    /// The number of published entries in a feed, a category, or an entry of a pack that has members, such as a city.
    let members: Int?
    let isFeed: Bool
    let entries: [Line]
    /// Not all entries are listed.
    let hasMore: Bool

    /// Entries with members have many of them, so these are counted instead of listed.
    static func load(_ entry: EntryRow, _ database: Database) async throws -> EntryUsesPanel {
        let members = try await members(of: entry, database)
        let uses = members == nil ? try await database.entries.uses(of: entry.id, limit: shown + 1) : []
        return EntryUsesPanel(
            members: members, isFeed: entry.kind == .feed,
            entries: uses.prefix(shown).map {
                Line(title: EntryTitles.shown($0.title), url: EntryURL.of($0.id, $0.kind))
            },
            hasMore: uses.count > shown)
    }

    private static func members(of entry: EntryRow, _ database: Database) async throws -> Int? {
        if entry.kind == .feed { return try await database.entries.feedSizes([entry.id])[entry.id] ?? 0 }
        guard let field = entry.kind == .category ? "categories" : database.packs.memberField(of: entry.kind) else {
            return nil
        }
        return try await database.entries.memberCounts(field, of: [entry.id])[entry.id] ?? 0
    }
}
