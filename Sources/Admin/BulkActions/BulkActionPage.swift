// The page of a bulk action: a preview with a form before it runs, the result of each submission or entry afterwards.
import Domain
import FoundationEssentials
import HTTP
import Localization
import Operations
import Store

struct BulkActionPage: Encodable, Sendable {
    struct Share: Encodable, Sendable {
        let type: String
        let source: String?
        let count: Int
        /// How many are claimed by others.
        let claimed: Int?
    }

    struct Item: Encodable, Sendable {
        let id: UUID
        let title: String
        var thumbnail: ThumbnailView?
        let url: String
        let about: String
        /// What became of it, with the class of its tag; nil before the bulk action runs, and where a heading says so.
        let state: String?
        let tone: String
        /// What the bulk action does with it, or why it doesn't.
        let reason: String?
    }

    struct Outcome: Encodable, Sendable {
        let message: String
        let doneAt: Instant
        let createdBy: String
        let undoneAt: Instant?
        let undoURL: String?
        let publication: Int64?
        let release: Int64?
    }

    let heading: String
    let isOfEntries: Bool
    /// What it changes, as a heading: submissions or entries.
    let objects: String
    let shares: [Share]
    /// One page of what it changes or has changed.
    private(set) var items: [Item]
    let firstURL: String?
    let nextURL: String?
    let claimedCount: Int?
    let skippedCount: String?
    let limit: String?
    /// How many more are outside the access scope, as text; nil for none.
    let others: String?
    let isEmpty: Bool
    let submissionForm: BulkSubmissionForm?
    let entryForm: BulkEntryForm?
    let outcome: Outcome?
    private(set) var skipped: [Item]
    /// What an undo left as it was.
    private(set) var kept: [Item]
    let listURL: String
    let listLabel: String
    let problem: ErrorSummary?

    private static let pageSize = 50
    /// The number of skipped submissions or entries shown.
    private static let skippedLimit = 500

    static func load(
        _ request: AdminRequest, _ bulkAction: BulkActionRow, typed: FormFields? = nil,
        errors: FieldErrors = FieldErrors()
    ) async throws -> BulkActionPage {
        let store = request.database.bulkActions
        let isOpen = bulkAction.doneAt == nil
        let isOfEntries = bulkAction.object == .entry
        let shares = try await store.groups(of: bulkAction.id, for: request.actor.rowID)
        let position = Int(request.query.first("after") ?? "") ?? 0
        let rows = try await store.items(
            of: bulkAction.id, results: isOpen ? [] : [.done, .undone], isOpen: isOpen, after: max(0, position),
            limit: pageSize + 1)
        let page = Array(rows.prefix(pageSize))
        let claimed = shares.map(\.claimed).reduce(0, +)
        let types = request.context.rules.types
        // What lies outside of the access scope is not shown, and changing the rest is not offered.
        let hasForm = isOpen && bulkAction.openCount > 0 && bulkAction.others == 0
        let change = isOfEntries && hasForm ? try await BulkCategoryChange.load(request, bulkAction, typed) : nil
        func lines(_ rows: [BulkActionItemRow]) -> [Item] {
            rows.map { line($0, bulkAction, request) { $0.reason.map { reason($0, bulkAction.object) } } }
        }
        var model = BulkActionPage(
            heading: heading(bulkAction), isOfEntries: isOfEntries,
            objects: isOfEntries ? tr("Entries", context: "bulk action") : tr("Submissions", context: "bulk action"),
            shares: shares.map {
                Share(
                    type: types[$0.type]?.label ?? $0.type, source: $0.source, count: $0.count,
                    claimed: isOpen && $0.claimed > 0 ? $0.claimed : nil)
            },
            items: isOfEntries && isOpen
                ? try await BulkEntryEffects.load(page, bulkAction, change, request).map { row, effect in
                    line(row, bulkAction, request) { _ in effect }
                } : lines(page),
            firstURL: position > 0 ? url(of: bulkAction, change, after: nil) : nil,
            nextURL: rows.count > pageSize ? url(of: bulkAction, change, after: page.last?.position) : nil,
            claimedCount: isOpen && claimed > 0 ? claimed : nil,
            skippedCount: isOpen ? skippedCount(bulkAction, change) : nil,
            limit: isOpen && bulkAction.size + bulkAction.others >= BulkActionKind.limit
                ? tr("Limited to \(bulkAction.object.count(BulkActionKind.limit)); more may match.") : nil,
            others: bulkAction.others == 0 ? nil : bulkAction.object.count(bulkAction.others),
            isEmpty: isOpen && bulkAction.openCount == 0 && bulkAction.others == 0,
            submissionForm: hasForm && !isOfEntries
                ? try await BulkSubmissionForm.load(
                    request, bulkAction, shares.first.flatMap { types[$0.type] }, typed, errors) : nil,
            entryForm: hasForm && isOfEntries
                ? try await BulkEntryForm.load(request, bulkAction, change, typed, errors) : nil,
            outcome: outcome(bulkAction),
            skipped: lines(try await store.items(of: bulkAction.id, results: [.skipped], limit: skippedLimit)),
            kept: lines(try await store.items(of: bulkAction.id, results: [.kept], limit: skippedLimit)),
            listURL: listURL(bulkAction),
            listLabel: isOfEntries ? tr("Entries", context: "bulk action") : tr("Queue", context: "model"),
            problem: ErrorSummary(errors, ids: ids))
        try await model.addThumbnails(request)
        return model
    }

    /// Those of all lists.
    private mutating func addThumbnails(_ request: AdminRequest) async throws {
        let ids = (items + skipped + kept).map(\.id)
        let images: [UUID: ThumbnailView]
        if isOfEntries {
            let found = try await request.thumbnails(of: ids.map { ID<Entry>($0) })
            images = Dictionary(found.map { ($0.key.uuid, $0.value) }) { first, _ in first }
        } else {
            let found = try await request.thumbnails(of: ids.map { ID<Submission>($0) })
            images = Dictionary(found.map { ($0.key.uuid, $0.value) }) { first, _ in first }
        }
        for index in items.indices { items[index].thumbnail = images[items[index].id] }
        for index in skipped.indices { skipped[index].thumbnail = images[skipped[index].id] }
        for index in kept.indices { kept[index].thumbnail = images[kept[index].id] }
    }

    static func heading(_ bulkAction: BulkActionRow) -> String {
        let count = bulkAction.doneAt == nil && bulkAction.openCount > 0 ? bulkAction.openCount : bulkAction.size
        return "\(bulkAction.action.label(on: bulkAction.object)): \(bulkAction.object.count(count))"
    }

    /// How many will be skipped, in words; nil when none will.
    private static func skippedCount(_ bulkAction: BulkActionRow, _ change: BulkCategoryChange?) -> String? {
        let count = bulkAction.count(.skipped) + (change?.skippedCount ?? 0)
        return count == 0 ? nil : tr("\(bulkAction.object.count(count)) will be skipped.")
    }

    private static func line(
        _ row: BulkActionItemRow, _ bulkAction: BulkActionRow, _ request: AdminRequest,
        _ reason: (BulkActionItemRow) -> String?
    ) -> Item {
        let type = request.context.rules.types[row.type]?.label ?? row.type
        return Item(
            id: row.id, title: row.title.isEmpty ? tr("Untitled", context: "outcome") : row.title,
            url: bulkAction.object == .entry
                ? AdminURL.entry(ID<Entry>(row.id)) : AdminURL.submission(ID<Submission>(row.id)),
            about: row.source.map { "\(type), \($0)" } ?? type, state: row.result.flatMap(state),
            tone: row.result == .done ? "ok" : "", reason: reason(row))
    }

    private static func state(_ result: BulkActionItemRow.Result) -> String? {
        switch result {
        case .done: tr("Done", context: "bulk action")
        case .undone: tr("Undone", context: "bulk action")
        case .skipped, .kept: nil
        }
    }

    private static func url(of bulkAction: BulkActionRow, _ change: BulkCategoryChange?, after position: Int?) -> String
    {
        var fields = change?.fields ?? FormFields()
        if let position { fields.append("after", String(position)) }
        let url = AdminURL.bulkAction(bulkAction.id)
        return fields.isEmpty ? url : "\(url)?\(fields.urlEncoded)"
    }

    private static func listURL(_ bulkAction: BulkActionRow) -> String {
        switch bulkAction.object {
        case .submission: QueueQuery(queryString: bulkAction.query).url(AdminURL.queue())
        case .entry: EntryListQuery(queryString: bulkAction.query).url
        }
    }

    private static let ids = [
        "/reason": "reason", "/message": "message", "/zone": "zone", "/publish/local": "local",
        "/publish/zone": "zone", "/assignee": "assignee", "/text": "text",
        "/priority": "priority", "/release": "release", "/title": "title", "/added": "added", "/publish": "publish",
        "": "main",
    ]

    static func reason(_ reason: String, _ object: BulkActionKind.Object) -> String {
        if object == .entry, let refusal = EntryBulkRefusal(rawValue: reason) { return refusal.sentence }
        return switch reason {
        case "decided": tr("Already decided.")
        case "claimed": tr("Claimed or just decided by someone else.")
        case "assigned": tr("Assigned to someone else.")
        case "appeal": tr("An appeal against your rejection. A different reviewer must decide.")
        case "changed": tr("Changed in the meantime.")
        default: reason
        }
    }

    private static func outcome(_ bulkAction: BulkActionRow) -> Outcome? {
        guard let doneAt = bulkAction.doneAt else { return nil }
        let done = bulkAction.count(.done) + bulkAction.count(.undone) + bulkAction.count(.kept)
        var parts = [tr("Done: \(bulkAction.object.count(done))", context: "outcome")]
        if bulkAction.count(.skipped) > 0 {
            parts.append(tr("\(bulkAction.count(.skipped)) skipped", context: "outcome"))
        }
        if bulkAction.undoneAt != nil {
            parts.append(tr("\(bulkAction.count(.undone)) undone", context: "outcome"))
            if bulkAction.count(.kept) > 0 {
                parts.append(tr("\(bulkAction.count(.kept)) unchanged", context: "outcome"))
            }
        }
        return Outcome(
            message: parts.joined(separator: ", ") + ".", doneAt: Instant(doneAt),
            createdBy: ActorName.shown(bulkAction.createdBy),
            undoneAt: bulkAction.undoneAt.map { Instant($0) },
            undoURL: bulkAction.undoneAt == nil && bulkAction.count(.done) > 0 && bulkAction.others == 0
                ? AdminURL.bulkActionUndo(bulkAction.id) : nil,
            publication: bulkAction.publication, release: bulkAction.release)
    }
}
