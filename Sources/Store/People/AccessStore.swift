// Checks whether content is in an access scope, by the rules of the database (access_scope.sql).
import Domain
import Localization
import Postgres

/// What pages and actions address by its ID.
package enum ScopedObject: Sendable {
    case submission(ID<Submission>)
    case entry(ID<Entry>)
    case release(Int64)
    case bulkAction(ID<BulkAction>)
    case reportCase(ID<ReportCase>)
    case image(ID<Media>)

    /// What lies outside an access scope is refused as if it did not exist. A release or bulk action that is partly outside
    /// does exist for the account.
    package var refusal: Failure {
        switch self {
        case .submission: .missing("submission")
        case .entry: .missing("entry")
        case .reportCase: .missing("report case")
        case .image: .missing("image")
        case .release: .forbidden(tr("This release contains entries outside your access scope."))
        case .bulkAction: .forbidden(tr("This bulk action contains content outside your access scope."))
        }
    }
}

package struct AccessStore: Sendable {
    let connection: StoreConnection

    /// Whether all content of an object is in the scope; true for a missing one.
    package func contains(_ object: ScopedObject, _ scope: AccessScope) async throws -> Bool {
        if scope.isAll { return true }
        let outside: SQL =
            switch object {
            case .submission(let id): "curation.submission s where s.id = \(id) and not \(scope.submission("s"))"
            case .entry(let id): "curation.entry e where e.id = \(id) and not \(scope.entry("e"))"
            case .reportCase(let id):
                """
                curation.report_case c join curation.entry e on e.id = c.entry_id
                    where c.id = \(id) and not \(scope.entry("e"))
                """
            case .image(let id): "ops.media m where m.id = \(id) and not \(scope.image("m"))"
            case .release(let number):
                """
                curation.release r join curation.release_item i on i.release_id = r.id
                    join curation.entry e on e.id = i.entry_id
                    where r.number = \(number) and not \(scope.entry("e"))
                """
            case .bulkAction(let id):
                "curation.bulk_action_item i where i.bulk_action_id = \(id) and not \(scope.bulkActionItem("i"))"
            }
        return try await isEmpty(outside)
    }

    package func contains(_ submissions: [ID<Submission>], _ scope: AccessScope) async throws -> Bool {
        if scope.isAll { return true }
        return try await isEmpty(
            "curation.submission s where s.id = any(\(submissions)::uuid[]) and not \(scope.submission("s"))")
    }

    package func contains(_ entries: [ID<Entry>], _ scope: AccessScope) async throws -> Bool {
        if scope.isAll { return true }
        return try await isEmpty("curation.entry e where e.id = any(\(entries)::uuid[]) and not \(scope.entry("e"))")
    }

    /// Those of these submissions that are in the scope.
    package func visible(_ submissions: [ID<Submission>], _ scope: AccessScope) async throws -> Set<ID<Submission>> {
        if scope.isAll || submissions.isEmpty { return Set(submissions) }
        return Set(
            try await connection.rows(
                """
                select s.id from curation.submission s
                where s.id = any(\(submissions)::uuid[]) and \(scope.submission("s"))
                """
            ) { try $0("id") as ID<Submission> })
    }

    /// Those of these releases that contain nothing outside the scope.
    package func whole(_ releases: [Int64], _ scope: AccessScope) async throws -> Set<Int64> {
        if scope.isAll || releases.isEmpty { return Set(releases) }
        return Set(
            try await connection.rows(
                """
                select r.number from curation.release r
                where r.number = any(\(releases)::bigint[]) and not exists (
                    select from curation.release_item i join curation.entry e on e.id = i.entry_id
                    where i.release_id = r.id and not \(scope.entry("e")))
                """
            ) { try $0("number") as Int64 })
    }

    private func isEmpty(_ rows: SQL) async throws -> Bool {
        try await connection.first("select exists (select from \(rows)) as found") { try !$0("found") } ?? true
    }

    /// Throws the object's refusal unless all its content is in the actor's scope (S15).
    package func require(_ actor: Actor, _ object: ScopedObject) async throws {
        if try await !contains(object, actor.scope) { throw object.refusal }
    }
}

extension AccessScope {
    /// Null means all.
    private var typesSQL: SQL { types.isEmpty ? "null::text[]" : "\(types.sorted())::text[]" }
    private var groupsSQL: SQL { groups.isEmpty ? "null::uuid[]" : "\(groups.map(\.description).sorted())::uuid[]" }

    /// A condition on a row of `curation.submission` or `curation.queue_item`.
    func submission(_ row: SQL) -> SQL {
        if groups.isEmpty { return type(row) }
        // The names are computed once per statement.
        return """
            (\(type(row)) and (\(row).requested_category is null
                or lower(\(row).requested_category) <> all((select curation.names_outside(\(groupsSQL)))::text[])))
            """
    }

    /// A condition on a row of `curation.entry`, by the newest revision.
    func entry(_ row: SQL) -> SQL { entry(row, id: "\(row).id") }

    /// A condition on a row with the type of an entry and its ID.
    func entry(_ row: SQL, id: SQL) -> SQL {
        if groups.isEmpty { return type(row) }
        return "ops.entry_in_scope(\(typesSQL), \(groupsSQL), \(row).type, \(id))"
    }

    /// A condition on a row of `curation.release`: it is empty or contains an entry in the scope.
    func release(_ row: SQL) -> SQL {
        if isAll { return "true" }
        return """
            (not exists (select from curation.release_item x where x.release_id = \(row).id) or exists (
                select from curation.release_item x join curation.entry y on y.id = x.entry_id
                where x.release_id = \(row).id and \(entry("y"))))
            """
    }

    /// A condition on a row of `curation.publication`: it changes an entry in the scope.
    func publication(_ row: SQL) -> SQL {
        if isAll { return "true" }
        return """
            exists (select from curation.publication_change x
                where x.publication = \(row).number and \(entry("x", id: "x.entry_id")))
            """
    }

    /// A condition on a row of `curation.bulk_action_item`: its submission or entry is in the scope.
    func bulkActionItem(_ row: SQL) -> SQL {
        if isAll { return "true" }
        return """
            (exists (select from curation.submission x where x.id = \(row).submission_id and \(submission("x")))
                or exists (select from curation.entry x where x.id = \(row).entry_id and \(entry("x"))))
            """
    }

    /// A condition on a row of `ops.media`.
    func image(_ row: SQL) -> SQL {
        isAll ? "true" : "ops.image_in_scope(\(typesSQL), \(groupsSQL), \(row).id)"
    }

    private func type(_ row: SQL) -> SQL { types.isEmpty ? "true" : "\(row).type = any(\(typesSQL))" }
}
