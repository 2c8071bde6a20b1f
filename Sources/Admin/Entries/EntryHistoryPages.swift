// Lists the revisions of an entry, compares two of them and restores an old one.
import Domain
import Editorial
import HTTP
import Localization
import Store

enum EntryHistoryPages {
    private struct Line: Encodable, Sendable {
        let number: Int
        let author: String
        let created: Instant
        let note: String
        let isApproved: Bool
        let isLive: Bool
        /// The number of the previous version, for comparing.
        let previous: Int?
        let isNewest: Bool
    }

    private struct List: Encodable, Sendable {
        let id: ID<Entry>
        let title: String
        let newest: Int
        let previous: Int
        let lines: [Line]
        let events: [HistoryEvent]
        let hasTwo: Bool
        let mayRestore: Bool
        let mayPublish: Bool
    }

    static func list(_ request: AdminRequest) async throws -> Response {
        let (entry, newest) = try await EntryPages.find(request)
        // The comparison form submits the two numbers as a query.
        if request.query.contains("a") {
            return request.redirect(
                to: AdminURL.entryComparison(entry.id, try request.integer("a"), try request.integer("b")))
        }
        let history = try await request.database.revisions.history(of: entry.id)
        let events = try await request.database.auditTrail.about("entry", entry.id.description)
        let model = List(
            id: entry.id, title: EntryPages.shown(entry.title), newest: newest.number,
            previous: entry.live ?? max(1, newest.number - 1),
            lines: history.map { revision in
                Line(
                    number: revision.number, author: revision.author, created: Instant(revision.createdAt),
                    note: revision.note, isApproved: revision.isApproved, isLive: revision.isLive,
                    previous: revision.number > 1 ? revision.number - 1 : nil,
                    isNewest: revision.number == newest.number)
            },
            events: events.map(HistoryEvent.init),
            hasTwo: newest.number > 1, mayRestore: request.actor.may(.suggest),
            mayPublish: request.actor.may(.publish))
        return try request.page("admin/entries/history", model, title: tr("History of \(model.title)"))
    }

    private struct Comparison: Encodable, Sendable {
        struct Side: Encodable, Sendable {
            let number: Int
            let author: String
            let created: Instant
            let note: String
            let isLive: Bool
            let isApproved: Bool

            init(_ revision: RevisionRow) {
                number = revision.number
                author = revision.author
                created = Instant(revision.createdAt)
                note = revision.note
                isLive = revision.isLive
                isApproved = revision.isApproved
            }
        }

        let id: ID<Entry>
        let title: String
        let old: Side
        let new: Side
        let newest: Int
        let diff: DiffTable
        let mayRestore: Bool
        let mayPublish: Bool
    }

    static func compare(_ request: AdminRequest) async throws -> Response {
        let (entry, newest) = try await EntryPages.find(request)
        let (old, new) = (try await revision(entry, request, "a"), try await revision(entry, request, "b"))
        let type = try request.context.rules.type(named: entry.type)
        let titles = try await EntryTitles.load([old.content, new.content], of: type, request.database)
        let model = Comparison(
            id: entry.id, title: EntryPages.shown(entry.title), old: Comparison.Side(old), new: Comparison.Side(new),
            newest: newest.number, diff: DiffTable(from: old, to: new, type, titles),
            mayRestore: request.actor.may(.suggest) && old.number != newest.number,
            mayPublish: request.actor.may(.publish))
        let title = tr("\(model.title): versions \(old.number) and \(new.number)")
        return try request.page("admin/entries/compare", model, title: title)
    }

    /// The revision with the number in the path; any other text is a missing version.
    private static func revision(_ entry: EntryRow, _ request: AdminRequest, _ name: String) async throws -> RevisionRow
    {
        guard let number = request.parameters[name].flatMap({ Int32($0) }),
            let revision = try await request.database.revisions.find(entry.id, number: Int(number))
        else { throw Failure.missing("version") }
        return revision
    }

    static func restore(_ request: AdminRequest) async throws -> Response {
        let id: ID<Entry> = try request.id()
        let publishTiming: PublishTiming = request.form.first("action") == "now" ? .now : .draft
        let outcome = try await request.services.writeEntry.restore(
            id, number: try request.integer("number"), base: try request.integer("base"), publishTiming: publishTiming,
            by: request.actor)
        return request.redirect(to: AdminURL.entry(id), Flash(outcome, publishTiming))
    }
}
