// The page of one entry: its content as readers read it, and what can be done with it.
import Domain
import HTTP
import Localization
import Operations
import Store

package enum EntryPages {
    package static func shown(_ title: String) -> String {
        EntryTitles.shown(title)
    }

    private struct Reference: Encodable, Sendable {
        let label: String
        let title: String
        let id: ID<Entry>
    }

    private struct Show: Encodable, Sendable {
        let id: ID<Entry>
        let type: String
        let title: String
        let status: EntryStatus
        let author: String
        let changed: Instant
        let newest: Int
        let approved: Int?
        let live: Int?
        let slug: String?
        let views: [FieldView]
        let diff: DiffTable?
        let notes: NotePanel
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
    }

    private struct ReleaseChoices: Encodable, Sendable {
        let releases: [EntryRelease]
        let mayUnpublish: Bool
    }

    /// `errors` are those of an action on this page.
    static func show(_ request: AdminRequest, errors: FieldErrors = FieldErrors()) async throws -> Response {
        let (entry, newest) = try await find(request)
        var request = try await NotePanel.saving(request, .entry(entry.id), title: Self.shown(entry.title))
        let notes = try await NotePanel.load(&request, .entry(entry.id), errors: errors)
        let stream = try await StreamPanel.load(newest.content, entry, &request)
        let type = try request.context.rules.type(named: entry.type)
        // Before an approval the page shows the changes of the new version.
        let shown = entry.live ?? entry.approved
        let older =
            shown == nil || shown == entry.newest
            ? nil : try await request.database.revisions.find(entry.id, number: shown ?? 0)
        let titles = try await EntryTitles.load(
            [newest.content] + (older.map { [$0.content] } ?? []), of: type, request.database)
        let comparing = titles.comparing(on: request)
        let shownContents = [newest.content] + (older.map { [$0.content] } ?? [])
        let rendered = try await request.rendering(shownContents) { () -> (views: [FieldView], diff: DiffTable?) in
            (
                type.fields.filter { !type.isManualOrder($0) }.compactMap { field in
                    newest.content.fields[field.name].map {
                        FieldView(field, $0, titles: titles, images: comparing.images)
                    }
                },
                older.map { DiffTable(from: $0, to: newest, type, comparing) }
            )
        }
        let actor = request.actor
        let model = Show(
            id: entry.id, type: type.label, title: Self.shown(entry.title), status: EntryStatus(entry),
            author: newest.author, changed: Instant(newest.createdAt), newest: entry.newest, approved: entry.approved,
            live: entry.live, slug: entry.slug,
            views: rendered.views,
            diff: rendered.diff,
            notes: notes,
            references: newest.content.references(of: type).compactMap { reference in
                type.field(reference.field).map(type.isManualOrder) == true
                    ? nil : Reference(label: reference.label, title: titles(reference.id), id: reference.id)
            },
            uses: try await EntryUsesPanel.load(entry, request.database),
            publicURL: try await request.publicURL(of: entry),
            stream: stream,
            feed: try await FeedPanel.load(entry, request.database),
            releases: try await request.database.releases.containing(entry.id).map(EntryRelease.init),
            problem: ErrorSummary(errors),
            when: PublishTimingForm(
                request,
                label: newest.isApproved ? tr("Schedule", context: "release choices") : tr("Approve and schedule"),
                errors: errors),
            isGroup: entry.kind == .categoryGroup,
            mayEdit: actor.may(.suggest),
            mayApprove: actor.may(.approve) && !newest.isApproved,
            mayPublish: actor.may(.publish) && entry.approved.map { $0 > entry.live ?? 0 } ?? false,
            mayUnpublish: actor.may(.publish) && entry.live != nil && entry.kind != .categoryGroup,
            releaseChoices: try await releaseChoices(for: entry, request))
        return try request.page(
            "admin/entries/show", model, title: model.title, status: errors.status, type: entry.type)
    }

    private static func releaseChoices(for entry: EntryRow, _ request: AdminRequest) async throws -> ReleaseChoices? {
        guard request.actor.may(.createRelease) else { return nil }
        let releases = request.database.releases
        return ReleaseChoices(
            releases: try await (releases.open(limit: 50) + releases.scheduled(limit: 50)).map(EntryRelease.init),
            mayUnpublish: entry.live != nil && entry.kind != .categoryGroup)
    }

    /// The entry with the id in the path, and its newest revision.
    static func find(_ request: AdminRequest) async throws -> (EntryRow, RevisionRow) {
        let id: ID<Entry> = try request.id()
        guard let entry = try await request.database.entries.find(id),
            let newest = try await request.database.revisions.newest(of: id)
        else { throw Failure.missing("entry") }
        return (entry, newest)
    }
}
