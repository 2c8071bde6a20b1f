// The page of one entry: its content as readers read it; beside it how it is published, where it is used, its history and notes.
import Domain
import Localization
import Store

/// The model of `admin/entries/show.html`.
struct EntryPage: Encodable, Sendable {
    /// The form of what the person most likely does next.
    struct Primary: Encodable, Sendable {
        let url: String
        /// Of the version.
        let number: Int
        /// The value of the button.
        let action: String
        let label: String
    }

    struct Reference: Encodable, Sendable {
        let label: String
        let title: String
        let id: ID<Entry>
    }

    struct ReleaseChoices: Encodable, Sendable {
        let releases: [EntryRelease]
        let mayUnpublish: Bool
    }

    let id: ID<Entry>
    /// The label and the list of its type.
    let types: String
    let listURL: String
    let title: String
    let status: EntryStatus
    let author: String
    let changed: Instant
    let newest: Int
    let approved: Int?
    let live: Int?
    /// Nil while there is nothing to approve or publish.
    let primary: Primary?
    /// Nil for an entry without texts, images and rows, such as a setting.
    let reading: ReadingView?
    let others: [FieldView]
    /// The other fields are folded.
    let isFolded: Bool
    /// What an approval would change.
    let diff: DiffTable?
    let notes: NotePanel
    let history: [EntryHistoryLine]
    let references: [Reference]
    let uses: EntryUsesPanel
    let publicURL: String?
    let stream: StreamPanel?
    let feed: FeedPanel?
    let releases: [EntryRelease]
    let problem: ErrorSummary?
    let when: PublishTimingForm
    let isGroup: Bool
    let mayEdit: Bool
    let mayApprove: Bool
    let mayPublish: Bool
    let mayUnpublish: Bool
    /// The releases that it can be added to; nil when the actor may not edit releases.
    let releaseChoices: ReleaseChoices?

    static func load(
        _ entry: EntryRow, _ newest: RevisionRow, _ notes: NotePanel, _ stream: StreamPanel?, _ request: AdminRequest,
        _ errors: FieldErrors
    ) async throws -> EntryPage {
        let (database, actor) = (request.database, request.actor)
        let type = try request.context.rules.type(named: entry.type)
        let title = EntryTitles.shown(entry.title)
        let older = try await older(entry, database)
        let contents = [newest.content] + (older.map { [$0.content] } ?? [])
        let titles = try await EntryTitles.load(contents, of: type, database)
        let comparing = titles.comparing(on: request)
        let (reading, diff) = try await request.rendering(contents) { () -> (ReadingView, DiffTable?) in
            (
                ReadingView(
                    of: newest.content, in: type, heading: title, titles: titles, images: comparing.images,
                    hasOthersApart: true),
                older.map { DiffTable(from: $0, to: newest, type, comparing) }
            )
        }
        let history = try await database.history.page(of: entry.id, cursor: nil, limit: EntryPanel.events)
        let mayPublish = actor.may(.publish) && entry.approved.map { $0 > entry.live ?? 0 } ?? false
        return EntryPage(
            id: entry.id, types: type.plural, listURL: AdminURL.entries(query: ["type": type.name]), title: title,
            status: EntryStatus(entry), author: ActorName.shown(newest.author), changed: Instant(newest.createdAt),
            newest: entry.newest, approved: entry.approved, live: entry.live,
            primary: primary(entry, newest, actor, mayPublish: mayPublish),
            reading: reading.isEmpty ? nil : reading, others: reading.others,
            isFolded: !reading.isEmpty && isLong(reading.others), diff: diff, notes: notes,
            history: history.items.map { EntryHistoryLine($0, entry, type, mayRestore: false) },
            references: references(newest.content, type, titles),
            uses: try await EntryUsesPanel.load(entry, database), publicURL: try await request.publicURL(of: entry),
            stream: stream, feed: try await FeedPanel.load(entry, database),
            releases: try await database.releases.containing(entry.id).map(EntryRelease.init),
            problem: ErrorSummary(errors),
            when: PublishTimingForm(
                request,
                label: newest.isApproved ? tr("Schedule", context: "release choices") : tr("Approve and schedule"),
                errors: errors),
            isGroup: entry.kind == .categoryGroup, mayEdit: actor.may(.suggest),
            mayApprove: actor.may(.approve) && !newest.isApproved, mayPublish: mayPublish,
            mayUnpublish: actor.may(.publish) && entry.live != nil && entry.kind != .categoryGroup,
            releaseChoices: try await releaseChoices(for: entry, request))
    }

    /// The version whose difference from the newest one is shown: before an approval, what readers see or would see.
    private static func older(_ entry: EntryRow, _ database: Database) async throws -> RevisionRow? {
        guard let shown = entry.live ?? entry.approved, shown != entry.newest else { return nil }
        return try await database.revisions.find(entry.id, number: shown)
    }

    private static func primary(
        _ entry: EntryRow, _ newest: RevisionRow, _ actor: Actor, mayPublish: Bool
    ) -> Primary? {
        if actor.may(.approve), !newest.isApproved {
            let url = AdminURL.entryApprove(entry.id)
            return PublishTiming.now.isAllowed(for: actor)
                ? Primary(url: url, number: entry.newest, action: "now", label: tr("Approve and publish now"))
                : Primary(url: url, number: entry.newest, action: "approve", label: tr("Approve", context: "entry"))
        }
        guard mayPublish, let approved = entry.approved else { return nil }
        return Primary(
            url: AdminURL.entryPublish(entry.id), number: approved, action: "now", label: tr("Publish now"))
    }

    private static func isLong(_ fields: [FieldView]) -> Bool {
        fields.count > 8 || fields.contains { $0.code != nil || $0.html != nil }
    }

    private static func references(_ content: Content, _ type: ContentType, _ titles: EntryTitles) -> [Reference] {
        content.references(of: type).compactMap { reference in
            type.field(reference.field).map(type.isManualOrder) == true
                ? nil : Reference(label: reference.label, title: titles(reference.id), id: reference.id)
        }
    }

    private static func releaseChoices(for entry: EntryRow, _ request: AdminRequest) async throws -> ReleaseChoices? {
        guard request.actor.may(.createRelease) else { return nil }
        let releases = request.database.releases
        return ReleaseChoices(
            releases: try await (releases.open(limit: 50) + releases.scheduled(limit: 50)).map(EntryRelease.init),
            mayUnpublish: entry.live != nil && entry.kind != .categoryGroup)
    }
}
