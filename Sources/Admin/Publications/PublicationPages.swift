// The log of publications, and the page to review and publish pending changes.
import Domain
import HTTP
import Localization
import Operations
import Platform
import Store

enum PublicationPages {
    private static let perPage = 50

    private struct Line: Encodable, Sendable {
        let number: Int64
        let published: Instant
        let actor: String
        let note: String
        let release: Int64?
        /// Such as `2 published, 1 changed`.
        let entries: String
        let took: Int
        let delay: String?
    }

    private struct List: Encodable, Sendable {
        let lines: [Line]
        /// How many changes are pending; nil for accounts that can't open their plan.
        let pending: Int?
        let next: String?
        let isFirst: Bool
    }

    /// Entries counted of one publication.
    private static let counted = 5000

    static func list(_ request: AdminRequest) async throws -> Response {
        let cursor = request.cursor
        let page = try await request.database.publications.page(cursor: cursor, limit: perPage)
        let numbers = page.items.map(\.number)
        let counts = try await request.database.quickly {
            try await $0.publications.counts(of: numbers, limit: counted + 1)
        }
        let model = List(
            lines: page.items.map { row in
                Line(
                    number: row.number, published: Instant(row.publishedAt), actor: ActorName.list(row.actor),
                    note: row.note,
                    release: row.release, entries: counts.map { entries($0[row.number]) } ?? "",
                    took: row.durationMilliseconds,
                    delay: delay(of: row))
            },
            pending: request.mayOpen(AdminURL.publicationsPlan())
                ? try await request.database.publications.readyCount() : nil,
            next: page.next.map { AdminURL.publications(query: ["cursor": $0]) },
            isFirst: cursor == nil)
        return try request.page("admin/publications/list", model, title: tr("Publications", context: "list"))
    }

    /// After the time of a scheduled release; nil for one that was published before.
    static func delay(of row: PublicationRow) -> String? {
        row.delayMilliseconds.flatMap { $0 < 0 ? nil : SchedulePages.delay(milliseconds: $0) }
    }

    /// How many a publication made public, changed and unpublished. Repairs and results of observations change none.
    private static func entries(_ counts: PublicationCounts?) -> String {
        guard let counts, counts.total > 0 else { return tr("No entries") }
        if counts.total > counted {
            return tr("\(CountText.text(counts.total, limit: counted)) entries", context: "list")
        }
        let parts = [
            counts.published > 0 ? tr("\(counts.published) published", context: "publications") : nil,
            counts.changed > 0 ? tr("\(counts.changed) changed", context: "publications") : nil,
            counts.unpublished > 0 ? tr("\(counts.unpublished) unpublished", context: "publications") : nil,
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }

    // MARK: Pending changes

    private struct PendingEntry: Encodable, Sendable {
        let id: ID<Entry>
        let title: String
        let version: Int?
        let live: Int?
        let author: String
    }

    private struct Plan: Encodable, Sendable {
        let entries: [PendingEntry]
        let count: String
        let hidden: Int
        let isCut: Bool
        let blocked: [BlockedLine]
        let table: PlanTable
        /// The digest of the pending changes: publishing is refused if they have changed.
        let seen: String
        let mayPublish: Bool
        let hasChanged: Bool
    }

    /// Entries shown; the rest are only counted.
    private static let shownEntries = 100

    static func plan(_ request: AdminRequest, hasChanged: Bool = false) async throws -> Response {
        let waiting = try await request.services.publishRelease.plan(limit: PlanTable.limit)
        let changes = waiting.changes
        let entries = try await request.database.entries.find(changes.prefix(shownEntries).map(\.entry)).map { entry in
            PendingEntry(
                id: entry.id, title: EntryPages.shown(entry.title), version: entry.approved, live: entry.live,
                author: ActorName.shown(entry.author))
        }
        let model = Plan(
            entries: entries, count: ReleasePages.entries(changes.count), hidden: changes.count - entries.count,
            isCut: changes.count > entries.count,
            blocked: waiting.blocked.map { BlockedLine($0, request.context.rules.types) },
            table: try await PlanTable.load(waiting.plan, request),
            seen: digest(waiting.all), mayPublish: request.actor.may(.publish), hasChanged: hasChanged)
        return try request.page(
            "admin/publications/plan", model, title: tr("Publish pending changes"), status: hasChanged ? 409 : 200)
    }

    private static func digest(_ changes: [LiveChange]) -> String {
        let lines = changes.map { "\($0.entry) \($0.revision.map(\.description) ?? "-")" }
        return SHA256.hex(lines.sorted().joined(separator: "\n"))
    }

    /// Publishes the plan that was shown, or shows the new plan if it has changed.
    static func publish(_ request: AdminRequest) async throws -> Response {
        let pending = try await request.database.publications.ready()
        guard request.form.first("seen") == digest(pending) else { return try await plan(request, hasChanged: true) }
        let done = try await request.services.publishRelease.waiting(by: request.actor)
        let message =
            done.publication.map { tr("Published \(ReleasePages.entries(done.entries)) in publication \($0).") }
            ?? tr("No pending changes.")
        if done.blocked.isEmpty { return request.redirect(to: AdminURL.publications(), Flash(message)) }
        return request.redirect(
            to: AdminURL.publicationsPlan(),
            Flash(tr("\(message) \(ReleasePages.entries(done.blocked.count)) not published: see the reasons below.")))
    }
}
