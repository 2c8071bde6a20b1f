// What a search has found of one kind, as the page and the palette show it.
import Domain
import Markup
import Store

struct SearchGroup: Encodable, Sendable {
    struct Line: Encodable, Sendable {
        let title: String
        let url: String
        /// Such as "Article" or "City portal · reader-4".
        let note: String
        let tags: [Tag]
        var thumbnail: ThumbnailView?
    }

    struct Tag: Encodable, Sendable {
        let label: String
        /// `ok`, `wait`, `bad` or empty.
        let tone: String
    }

    /// A list that continues the group.
    struct More: Encodable, Sendable {
        let label: String
        let url: String
    }

    let id: String
    let label: String
    let lines: [Line]
    /// There are more than are shown.
    let isCut: Bool
    var more: [More] = []

    /// Nil without lines. `found` has one line more than the limit if there are more.
    init?(_ id: String, _ label: String, _ found: [Line], limit: Int, more: [More] = []) {
        guard !found.isEmpty else { return nil }
        (self.id, self.label, self.more) = (id, label, more)
        lines = Array(found.prefix(limit))
        isCut = found.count > limit
    }
}

extension SearchGroup.Line {
    init(_ row: EntryRow, _ types: ContentTypes, _ images: [ID<Entry>: ThumbnailView]) {
        title = EntryTitles.shown(row.title)
        url = EntryURL.of(row.id, row.kind)
        note = types[row.type]?.label ?? row.type
        tags = EntryStatus(row).parts.map { SearchGroup.Tag(label: $0.label, tone: $0.tone) }
        thumbnail = images[row.id]
    }

    init(_ row: FoundSubmission, _ types: ContentTypes, _ images: [ID<Submission>: ThumbnailView]) {
        self.init(
            submission: row.id, row.title, type: row.type, row.source, row.contributor, row.state, types, images)
    }

    init(
        submission id: ID<Submission>, _ text: String, type: String, _ source: String, _ contributor: String?,
        _ state: SubmissionState, _ types: ContentTypes, _ images: [ID<Submission>: ThumbnailView]
    ) {
        title = EntryTitles.shown(SpoofCheck(name: text).shown)
        url = AdminURL.submission(id)
        // A feed without authors is its own contributor.
        let person = contributor.flatMap { $0 == source ? nil : SpoofCheck(name: $0).shown }
        note = [types[type]?.label ?? type, ActorName.shown(source), person].compactMap { $0 }.joined(separator: " · ")
        let tone = state == .approved ? "ok" : state == .rejected ? "bad" : "wait"
        tags = [SearchGroup.Tag(label: state.label, tone: tone)]
        thumbnail = images[id]
    }

    init(_ row: ReputationRow) {
        let link = ContributorLink(row)
        (title, url, note) = (link.name, link.url, ActorName.shown(row.source))
        tags = link.status.map { [SearchGroup.Tag(label: $0, tone: link.tone)] } ?? []
    }

    init(_ row: ReleaseRow) {
        title = "\(row.number) \(row.title)"
        url = AdminURL.release(row.number)
        note = row.time ?? ""
        let tone = row.state == .published ? "ok" : row.state == .failed ? "bad" : "wait"
        tags = [SearchGroup.Tag(label: row.state.label, tone: tone)]
    }

    init(_ row: AccountRow) {
        title = row.name
        url = AdminURL.account(row.id)
        note = "\(row.email) · \(row.role.label)"
        tags = row.state == .active ? [] : [SearchGroup.Tag(label: row.state.label, tone: "wait")]
    }

    init(_ action: Navigation.Action) {
        (title, url, note, tags) = (action.label, action.url, action.note, [])
    }
}
