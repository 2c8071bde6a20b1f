// The log of publications, what the next one would change, and publishing what waits.
import Domain
import HTTP
import Platform
import Publishing
import Store

enum PublicationPages {
    static let routes =
        [
            AdminEndpoint(method: "GET", pattern: "/publications", access: .may(.readQueue), handler: list),
            AdminEndpoint(method: "GET", pattern: "/publications/plan", access: .may(.readQueue)) { try await plan($0) },
            AdminEndpoint(method: "POST", pattern: "/publications", access: .may(.publish), handler: publish),
        ] + RollbackPages.routes

    private static let perPage = 50

    private struct Line: Encodable, Sendable {
        let number: Int64
        let published: Instant
        let actor: String
        let note: String
        let release: Int64?
        let inserted: Int
        let updated: Int
        let deleted: Int
        let took: Int
        let late: String?
    }

    private struct List: Encodable, Sendable {
        let lines: [Line]
        let waiting: Int
        let next: String?
        let isFirst: Bool
    }

    private static func list(_ request: AdminRequest) async throws -> Response {
        let cursor = request.text("cursor")
        let page = try await request.database.publications.page(cursor: cursor, limit: perPage)
        let model = List(
            lines: page.items.map { row in
                Line(
                    number: row.number, published: Instant(row.publishedAt), actor: row.actor, note: row.note,
                    release: row.release, inserted: row.inserted, updated: row.updated, deleted: row.deleted,
                    took: row.durationMilliseconds,
                    late: row.lateMilliseconds.map { SchedulePages.words(lateMilliseconds: max(0, $0)) })
            },
            waiting: try await request.database.publications.ready().count,
            next: page.next.map { FormFields([FormFields.Field(name: "cursor", value: $0)]).urlEncoded }.map {
                "/publications?\($0)"
            },
            isFirst: cursor == nil)
        return try request.page("admin/publications/list", model, title: "Publications")
    }

    // MARK: What the next one would change

    private struct Waiting: Encodable, Sendable {
        let id: ID<Entry>
        let title: String
        let version: Int?
        let live: Int?
        let author: String
    }

    private struct Plan: Encodable, Sendable {
        let entries: [Waiting]
        let count: Int
        let hidden: Int
        let isCut: Bool
        let table: PlanTable
        /// Names what waits: publishing is refused when something else waits by then.
        let seen: String
        let mayPublish: Bool
        let hasMoved: Bool
    }

    /// More entries than this are counted, not shown.
    private static let shownEntries = 100

    private static func plan(_ request: AdminRequest, hasMoved: Bool = false) async throws -> Response {
        let (changes, rows) = try await PublishRelease(database: request.database).plan(limit: PlanTable.limit)
        let entries = try await request.database.entries.find(changes.prefix(shownEntries).map(\.entry)).map { entry in
            Waiting(
                id: entry.id, title: EntryPages.shown(entry.title), version: entry.approved, live: entry.live,
                author: entry.author)
        }
        let model = Plan(
            entries: entries, count: changes.count, hidden: changes.count - entries.count,
            isCut: changes.count > entries.count, table: PlanTable(rows),
            seen: digest(changes), mayPublish: request.actor.may(.publish), hasMoved: hasMoved)
        return try request.page(
            "admin/publications/plan", model, title: (hasMoved ? "Error: " : "") + "Publish what waits",
            status: hasMoved ? 409 : 200)
    }

    private static func digest(_ changes: [LiveChange]) -> String {
        let lines = changes.map { "\($0.entry) \($0.revision.map(\.description) ?? "-")" }
        return SHA256.hex(lines.sorted().joined(separator: "\n"))
    }

    /// Publishes what the plan showed. When other things wait by now, the new plan is shown instead.
    private static func publish(_ request: AdminRequest) async throws -> Response {
        let waiting = try await request.database.publications.ready()
        guard request.form.first("seen") == digest(waiting) else { return try await plan(request, hasMoved: true) }
        let (publication, entries) = try await PublishRelease(database: request.database).waiting(by: request.actor)
        let count = entries == 1 ? "1 entry is" : "\(entries) entries are"
        let sentence =
            publication.map { "\(count) live now: publication \($0)." }
            ?? "Nothing was waiting, so nothing was published."
        return request.redirect(to: "/publications", Flash(sentence))
    }
}
