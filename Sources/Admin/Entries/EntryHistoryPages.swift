// The history of an entry: what happened, newest first; compares any two versions, and restores an old one.
import Domain
import HTTP
import Localization
import Operations
import Store

enum EntryHistoryPages {
    private static let perPage = 25

    private struct List: Encodable, Sendable {
        let id: ID<Entry>
        let title: String
        let newest: Int
        let previous: Int
        let lines: [EntryHistoryLine]
        let hasTwo: Bool
        let errors: [String]
        /// The URL of the next page.
        let next: String?
        let isFirst: Bool
    }

    static func list(_ request: AdminRequest) async throws -> Response {
        let (entry, newest) = try await EntryPages.find(request)
        var errors = FieldErrors()
        // The comparison form submits the two numbers as a query.
        if request.query.contains("a") {
            if let a = request.text("a").flatMap(Int.init), let b = request.text("b").flatMap(Int.init),
                (1...newest.number).contains(a), (1...newest.number).contains(b)
            {
                return request.redirect(to: AdminURL.entryComparison(entry.id, a, b))
            }
            errors = FieldErrors("/a", "range", tr("Enter the numbers of two versions, from 1 to \(newest.number)."))
        }
        let type = try request.context.rules.type(named: entry.type)
        let cursor = request.cursor
        let page = try await request.database.history.page(of: entry.id, cursor: cursor, limit: perPage)
        let model = List(
            id: entry.id, title: EntryPages.shown(entry.title), newest: newest.number,
            previous: entry.live.flatMap { $0 == newest.number ? nil : $0 } ?? max(1, newest.number - 1),
            lines: page.items.map {
                EntryHistoryLine($0, entry, type, mayRestore: request.actor.may(.suggest))
            },
            hasTwo: newest.number > 1 || !errors.isEmpty, errors: errors.items.map(\.message),
            next: page.next.map { AdminURL.entryHistory(entry.id, query: ["cursor": $0]) }, isFirst: cursor == nil)
        return try request.page(
            "admin/entries/history", model, title: tr("History of \(model.title)"), status: errors.status,
            type: entry.type)
    }

    // MARK: Comparison

    private struct Side: Encodable, Sendable {
        let number: Int
        let author: String
        let created: Instant
        let note: String
        let isLive: Bool
        let isApproved: Bool

        init(_ revision: RevisionRow) {
            number = revision.number
            author = ActorName.shown(revision.author)
            created = Instant(revision.createdAt)
            note = revision.note
            isLive = revision.isLive
            isApproved = revision.isApproved
        }
    }

    private struct Comparison: Encodable, Sendable {
        let id: ID<Entry>
        let title: String
        let old: Side
        let new: Side
        let diff: DiffTable
        /// The URL of the page that restores the older version; nil if it is the newest, or the actor may not.
        let restoreURL: String?
    }

    static func compare(_ request: AdminRequest) async throws -> Response {
        let (entry, newest) = try await EntryPages.find(request)
        let (old, new) = (
            try await revision(entry, request.parameters["a"], request),
            try await revision(entry, request.parameters["b"], request)
        )
        let older = min(old.number, new.number)
        let model = Comparison(
            id: entry.id, title: EntryPages.shown(entry.title), old: Side(old), new: Side(new),
            diff: try await diff(entry, old, new, request),
            restoreURL: request.actor.may(.suggest) && older != newest.number ? restoreURL(entry.id, older) : nil)
        let title = tr("\(model.title): versions \(old.number) and \(new.number)")
        return try request.page("admin/entries/compare", model, title: title, type: entry.type)
    }

    private static func diff(
        _ entry: EntryRow, _ old: RevisionRow, _ new: RevisionRow, _ request: AdminRequest
    ) async throws -> DiffTable {
        let type = try request.context.rules.type(named: entry.type)
        let titles = try await EntryTitles.load([old.content, new.content], of: type, request.database)
        let comparing = titles.comparing(on: request)
        return try await request.rendering([old.content, new.content]) {
            DiffTable(from: old, to: new, type, comparing)
        }
    }

    /// The revision with this number; any other text is a missing version.
    private static func revision(
        _ entry: EntryRow, _ number: String?, _ request: AdminRequest
    ) async throws -> RevisionRow {
        guard let number = number.flatMap({ Int32($0) }),
            let revision = try await request.database.revisions.find(entry.id, number: Int(number))
        else { throw Failure.missing("version") }
        return revision
    }

    // MARK: Restoring

    private static func restoreURL(_ id: ID<Entry>, _ number: Int) -> String {
        AdminURL.entryRestore(id, query: ["number": String(number)])
    }

    private struct Restoring: Encodable, Sendable {
        let id: ID<Entry>
        let title: String
        let old: Side
        let newest: Int
        let next: Int
        /// What restoring changes.
        let diff: DiffTable
        let mayPublish: Bool
    }

    /// Asks before it restores: shows what would change.
    static func confirm(_ request: AdminRequest) async throws -> Response {
        let (entry, newest) = try await EntryPages.find(request)
        let old = try await revision(entry, request.text("number"), request)
        if old.number == newest.number { return request.redirect(to: AdminURL.entryHistory(entry.id)) }
        let model = Restoring(
            id: entry.id, title: EntryPages.shown(entry.title), old: Side(old), newest: newest.number,
            next: newest.number + 1, diff: try await diff(entry, newest, old, request),
            mayPublish: request.actor.may(.publish))
        return try request.page(
            "admin/entries/restore", model, title: tr("Restore version \(old.number) of \(model.title)"),
            type: entry.type)
    }

    /// Restores a version as the newest one. The message offers to restore the one that was the newest before, as a draft.
    static func restore(_ request: AdminRequest) async throws -> Response {
        let id: ID<Entry> = try request.id()
        let publishTiming: PublishTiming = request.form.first("action") == "now" ? .now : .draft
        let base = try request.integer("base")
        let outcome = try await request.services.writeEntry.restore(
            id, number: try request.integer("number"), base: base, publishTiming: publishTiming, by: request.actor)
        var flash = Flash(outcome, publishTiming)
        if outcome.revision > base {
            flash.undo = AdminURL.entryRestore(id, query: ["number": String(base), "base": String(outcome.revision)])
            flash.version = outcome.revision
        }
        return request.redirect(to: AdminURL.entry(id), flash)
    }
}
