// One publication: what it changed; and the way back to it.
import Domain
import HTTP
import Publishing
import Store

enum RollbackPages {
    static let routes = [
        AdminEndpoint(method: "GET", pattern: "/publications/{number}", access: .may(.readQueue), handler: show),
        AdminEndpoint(method: "GET", pattern: "/publications/{number}/rollback", access: .may(.publish)) {
            try await ask($0)
        },
        AdminEndpoint(method: "POST", pattern: "/publications/{number}/rollback", access: .may(.publish), handler: rollBack),
    ]

    /// More entries than this are not named.
    private static let shownEntries = 200

    private struct Change: Encodable, Sendable {
        let id: ID<Entry>
        let title: String
        let before: Int?
        let after: Int?
    }

    private struct Table: Encodable, Sendable {
        let table: String
        let rows: Int
        let word: String
    }

    private struct Show: Encodable, Sendable {
        let number: Int64
        let published: Instant
        let actor: String
        let note: String
        let release: Int64?
        let late: String?
        let took: Int
        let entries: [Change]
        let isCut: Bool
        let tables: [Table]
        let mayRollBack: Bool
    }

    private static func show(_ request: AdminRequest) async throws -> Response {
        let row = try await find(request)
        let changes = try await request.database.publications.changes(of: row.number, limit: shownEntries + 1)
        let tables = try await request.database.publications.rowCounts(of: row.number)
        let current = try await request.database.publications.current()
        let model = Show(
            number: row.number, published: Instant(row.publishedAt), actor: row.actor, note: row.note,
            release: row.release,
            late: row.lateMilliseconds.map { SchedulePages.words(lateMilliseconds: max(0, $0)) },
            took: row.durationMilliseconds,
            entries: changes.prefix(shownEntries).map {
                Change(id: $0.entry, title: EntryPages.shown($0.title), before: $0.before, after: $0.after)
            },
            isCut: changes.count > shownEntries,
            tables: tables.map { table in
                let word =
                    switch table.operation {
                    case "insert": "new"
                    case "delete": "gone"
                    default: "changed"
                    }
                return Table(table: table.table, rows: table.rows, word: word)
            },
            mayRollBack: request.actor.may(.publish) && row.number < current)
        return try request.page("admin/publications/show", model, title: "Publication \(row.number)")
    }

    private struct Question: Encodable, Sendable {
        let number: Int64
        let entries: Int
        let plan: PlanTable
        let seen: String
        let hasMoved: Bool
    }

    private static func ask(_ request: AdminRequest, hasMoved: Bool = false) async throws -> Response {
        let row = try await find(request)
        let plan = try await PublishRelease(database: request.database).plan(
            .backTo(row.number), limit: PlanTable.limit)
        let model = Question(
            number: row.number, entries: try await request.database.publications.count(.backTo(row.number)),
            plan: PlanTable(plan), seen: plan.digest, hasMoved: hasMoved)
        return try request.page(
            "admin/publications/rollback", model,
            title: (hasMoved ? "Error: " : "") + "Roll back to publication \(row.number)", status: hasMoved ? 409 : 200)
    }

    private static func rollBack(_ request: AdminRequest) async throws -> Response {
        let row = try await find(request)
        do {
            let publication = try await PublishRelease(database: request.database).back(
                to: row.number, seen: request.form.first("seen") ?? "", by: request.actor)
            let sentence =
                publication.map {
                    "Readers see again what they saw after publication \(row.number): publication \($0)."
                }
                ?? "Readers see that already, so nothing was published."
            return request.redirect(to: "/publications", Flash(sentence))
        } catch Failure.conflict("plan_moved", _) {
            return try await ask(request, hasMoved: true)
        }
    }

    private static func find(_ request: AdminRequest) async throws -> PublicationRow {
        guard let number = request.parameters["number"].flatMap({ Int64($0) }),
            let row = try await request.database.publications.find(number)
        else { throw Failure.missing("publication") }
        return row
    }
}
