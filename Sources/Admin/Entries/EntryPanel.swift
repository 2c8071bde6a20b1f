// What a person who edits an entry needs to know about it, beside the form: its state, releases, uses, history and notes.
import Domain
import Store

/// The model of `admin/entries/panel.html`.
struct EntryPanel: Encodable, Sendable {
    /// The number of events of the history beside a form or a content.
    static let events = 5

    let id: ID<Entry>
    let status: EntryStatus
    let newest: Int
    let author: String
    let changed: Instant
    let live: Int?
    /// On the site that readers use; nil without one, and for an entry that isn't published.
    let publicURL: String?
    let releases: [EntryRelease]
    let uses: EntryUsesPanel
    let history: [EntryHistoryLine]
    let notes: NotePanel

    static func load(_ entry: EntryRow, _ type: ContentType, _ request: AdminRequest) async throws -> EntryPanel {
        let database = request.database
        let history = try await database.history.page(of: entry.id, cursor: nil, limit: events)
        return EntryPanel(
            id: entry.id, status: EntryStatus(entry), newest: entry.newest, author: ActorName.shown(entry.author),
            changed: Instant(entry.changedAt), live: entry.live, publicURL: try await request.publicURL(of: entry),
            releases: try await database.releases.containing(entry.id).map(EntryRelease.init),
            uses: try await EntryUsesPanel.load(entry, database),
            history: history.items.map { EntryHistoryLine($0, entry, type, mayRestore: false) },
            notes: try await NotePanel.read(.entry(entry.id), request))
    }
}
