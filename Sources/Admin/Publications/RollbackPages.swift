// One publication with its changes, and rolling back to it.
import Domain
import HTTP
import Localization
import Operations
import Store

enum RollbackPages {
    private static let perPage = 100
    /// Entries counted outside the access scope.
    private static let countedOthers = 200

    private struct ChangedLine: Encodable, Sendable {
        let id: ID<Entry>
        let title: String
        let before: Int?
        let after: Int?
    }

    /// The entries of one type, by title.
    private struct Group: Encodable, Sendable {
        let label: String
        let entries: [ChangedLine]
    }

    private struct Table: Encodable, Sendable {
        let table: String
        let rows: Int
        let operation: String
    }

    private struct Show: Encodable, Sendable {
        let number: Int64
        let published: Instant
        let actor: String
        let note: String
        let release: Int64?
        let delay: String?
        let took: Int
        let groups: [Group]
        let first: String?
        let next: String?
        /// How many entries are outside the access scope, as text; nil for none.
        let others: String?
        /// Nil for accounts with an access scope: the rows are of content of all kinds.
        let tables: [Table]?
        let mayRollBack: Bool
    }

    static func show(_ request: AdminRequest) async throws -> Response {
        let row = try await find(request)
        let cursor = request.cursor
        let page = try await request.database.publications.changes(of: row.number, cursor: cursor, limit: perPage)
        let others = try await request.database.publications.othersCount(of: row.number, limit: countedOthers + 1)
        let isUnrestricted = request.actor.scope.isAll
        let tables = isUnrestricted ? try await request.database.publications.rowCounts(of: row.number) : nil
        let current = try await request.database.publications.current()
        let model = Show(
            number: row.number, published: Instant(row.publishedAt), actor: ActorName.list(row.actor),
            note: row.note,
            release: row.release,
            delay: PublicationPages.delay(of: row),
            took: row.durationMilliseconds,
            groups: groups(page.items, request.context.rules.types),
            first: cursor.map { _ in AdminURL.publication(row.number) },
            next: page.next.map { AdminURL.publication(row.number, query: ["cursor": $0]) },
            others: shown(others: others),
            tables: tables?.map { table in
                let operation =
                    switch table.operation {
                    case "insert": tr("new", context: "rows")
                    case "delete": tr("deleted", context: "rows")
                    default: tr("changed", context: "rows")
                    }
                return Table(table: table.table, rows: table.rows, operation: operation)
            },
            mayRollBack: request.actor.may(.publish) && isUnrestricted && row.number < current)
        return try request.page(
            "admin/publications/show", model, title: tr("Publication \(row.number)", context: "show"))
    }

    private static func groups(_ changes: [ChangedEntry], _ types: ContentTypes) -> [Group] {
        let groups = Dictionary(grouping: changes, by: \.type).sorted { $0.key < $1.key }
        return groups.map { type, entries in
            let lines = entries.map {
                ChangedLine(id: $0.entry, title: EntryPages.shown($0.title), before: $0.before, after: $0.after)
            }
            return Group(
                label: types[type]?.plural ?? type,
                entries: lines.sorted { ($0.title.lowercased(), $0.title) < ($1.title.lowercased(), $1.title) })
        }
    }

    /// How many entries are outside the access scope: `1 entry`, `more than 200 entries`; nil for none.
    static func shown(others: Int) -> String? {
        if others > countedOthers { return tr("more than \(countedOthers) entries") }
        return others == 0 ? nil : ReleasePages.entries(others)
    }

    private struct Confirmation: Encodable, Sendable {
        let number: Int64
        let entries: String
        let plan: PlanTable
        let seen: String
        let hasChanged: Bool
    }

    static func confirm(_ request: AdminRequest, errors: FieldErrors = FieldErrors()) async throws -> Response {
        let row = try await find(request)
        let plan = try await request.services.publishRelease.plan(
            .rollback(to: row.number), limit: PlanTable.limit)
        let model = Confirmation(
            number: row.number,
            entries: ReleasePages.entries(try await request.database.publications.count(.rollback(to: row.number))),
            plan: try await PlanTable.load(plan, request), seen: plan.digest, hasChanged: errors.isPlanChanged)
        return try request.page(
            "admin/publications/rollback", model,
            title: tr("Roll back to publication \(row.number)"), status: errors.status)
    }

    static func rollback(_ request: AdminRequest) async throws -> Response {
        let row = try await find(request)
        return try await request.submit(orShow: confirm) {
            let publication = try await request.services.publishRelease.rollback(
                to: row.number, seen: request.form.first("seen") ?? "", by: request.actor)
            let message =
                publication.map { tr("Rolled back to publication \(row.number) in publication \($0).") }
                ?? tr("Nothing differs from publication \(row.number). Nothing was published.")
            return request.redirect(to: AdminURL.publications(), Flash(message))
        }
    }

    private static func find(_ request: AdminRequest) async throws -> PublicationRow {
        guard let number = request.parameters["number"].flatMap({ Int64($0) }),
            let row = try await request.database.publications.find(number)
        else { throw Failure.missing("publication") }
        return row
    }
}
