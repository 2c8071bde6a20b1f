// Imports the records of a bundle into an empty database, in one transaction, as the owner of the tables.
import Domain
import Postgres

/// Why a record was rejected.
package struct BundleRefusal: Error, Sendable {
    /// Index in the given rows.
    package let row: Int
    /// The column, if the database reports one.
    package let field: String?
    package let code: String
    package let message: String
}

/// Requires a login that may act as the owner, like migrations: the daemon's role cannot write published content.
package struct BundleLoader: Sendable {
    let transaction: Transaction
    let packs: PackSet

    func begin(_ roles: Roles, by actor: Actor) async throws {
        try await transaction.execute("set local role \(raw: roles.owner)")
        try await transaction.execute("set local timezone to 'UTC'")
        try await transaction.execute("set local jit to off")
        try await transaction.execute("set local work_mem to '64MB'")
        try await transaction.execute(
            "lock table curation.submission, curation.entry, curation.publication_counter in access exclusive mode")
        let ofPacks = packs.all.dropFirst().flatMap(\.bundle.carried).map { "(select count(*) from \($0.table))" }
        let existing = try await transaction.one(
            """
            select (select count(*) from curation.submission) as submissions,
                (select count(*) from curation.entry where created_by <> \(SystemActor.system)) as entries,
                (select count(*) from ops.media) as images,
                \(raw: ofPacks.isEmpty ? "0" : ofPacks.joined(separator: " + ")) as others
            """)
        let counts = [
            ("submissions", try existing("submissions") as Int), ("entries", try existing("entries") as Int),
            ("images", try existing("images") as Int),
            ("rows of packs", try existing("others") as Int),
        ].filter { $0.1 > 0 }
        if !counts.isEmpty {
            throw Failure.refused(
                code: "not_empty",
                message: "This database already contains \(counts.map { "\($0.1) \($0.0)" }.joined(separator: ", ")). "
                    + "Import a complete bundle into an empty database: create one, run \"vitrine migrate\" on it, and "
                    + "import there. Nothing was changed.")
        }
        try await transaction.execute(
            """
            insert into ops.audit_event (actor_id, action, object_type, request_id)
            values (\(actor.rowID), 'bundle.import', 'deployment', \(actor.requestID))
            """)
        let emptied = packs.bundleTables.filter { !$0.keepsRows }.map(\.table) + packs.all.flatMap(\.bundle.emptied)
        let readTables: [String] = try await transaction.query(
            "select 'api_v1.' || tablename as name from pg_tables where schemaname = 'api_v1'"
        ).map { try $0("name") }
        try await transaction.execute(
            // cascade: to tables of disabled packs
            "truncate \(raw: Set(emptied + readTables).sorted().joined(separator: ", ")) cascade")
        // Earlier approvals remain valid even if content types require more now; the bundle contains curation.ready.
        try await transaction.execute("alter table curation.publish_approval disable trigger user")
        try await transaction.execute("alter table curation.live disable trigger check_images")
        // Contributors were already notified of these decisions.
        try await transaction.execute("alter table curation.decision disable trigger outcome")
        try await transaction.execute("alter table curation.decision disable trigger approvals")
        try await transaction.execute("alter table curation.submission_approval disable trigger allowed")
    }

    /// The table of a kind of record; nil for an unknown kind, or one of a pack that is not enabled.
    package func table(of record: String) -> BundleTable? { packs.bundleTables.first { $0.record == record } }

    /// The columns that records of a table can have.
    package func columns(of table: BundleTable) async throws -> Set<String> {
        Set(
            try await BundleStore(connection: StoreConnection(transaction, packs: packs)).columns(of: table).map(\.name)
        )
    }

    /// Inserts rows, each a JSON object with exactly `columns`. Throws `BundleRefusal` for the first invalid one.
    package func add(_ rows: [String], columns: [String], to table: BundleTable) async throws {
        let statement = Self.insertion(columns, table)
        do {
            _ = try await transaction.batch(["savepoint rows", statement(rows), "release savepoint rows"])
        } catch let error as PostgresError where error.kind == .server && !error.isUnavailable {
            try await transaction.execute("rollback to savepoint rows")
            for (index, row) in rows.enumerated() {
                do {
                    _ = try await transaction.batch(["savepoint one", statement([row]), "release savepoint one"])
                } catch let error as PostgresError where error.kind == .server {
                    try await transaction.execute("rollback to savepoint one")
                    throw try await refusal(of: row, at: index, error, columns, table)
                }
            }
            // Every row is valid on its own.
        }
    }

    private static func insertion(_ columns: [String], _ table: BundleTable) -> @Sendable ([String]) -> SQL {
        let constants = table.constants.sorted { $0.key < $1.key }
        let names = columns.map { "\"\($0)\"" }
        let targets = (names + constants.map(\.key)).joined(separator: ", ")
        let values = (names.map { "r.\($0)" } + constants.map(\.value)).joined(separator: ", ")
        return { rows in
            let text = "[\(rows.joined(separator: ","))]"
            return """
                insert into \(raw: table.table) (\(raw: targets)) overriding system value select \(raw: values)
                from jsonb_populate_recordset(null::\(raw: table.table), \(text)::text::jsonb) r
                """
        }
    }

    /// Finds the field that caused the error.
    private func refusal(
        of row: String, at index: Int, _ error: PostgresError, _ columns: [String], _ table: BundleTable
    ) async throws -> BundleRefusal {
        var field = error.column
        if let constraint = error.constraint {
            field = try await transaction.first(
                """
                select string_agg(a.attname, ', ' order by k.position) as names
                from pg_constraint c cross join unnest(c.conkey) with ordinality k (number, position)
                join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.number
                where c.conname = \(constraint) and c.conrelid = \(table.table)::text::regclass
                """
            ).flatMap { try $0("names") as String? }
        } else if field == nil {
            field = try await unreadable(row, columns, table)
        }
        let code =
            switch error.sqlState {
            case "23502": "required"
            case "23503": "reference"
            case "23505", "23P01": "taken"
            case "23514": error.constraint ?? "rule"
            default: "format"
            }
        return BundleRefusal(row: index, field: field, code: code, message: error.message)
    }

    /// The first column whose value does not have its type.
    private func unreadable(_ row: String, _ columns: [String], _ table: BundleTable) async throws -> String? {
        for column in columns {
            do {
                _ = try await transaction.batch([
                    "savepoint one",
                    """
                    select from jsonb_populate_record(null::\(raw: table.table),
                        jsonb_build_object(\(column)::text, \(row)::text::jsonb -> \(column)::text)) r where r is not null
                    """, "release savepoint one",
                ])
            } catch let error as PostgresError where error.kind == .server {
                try await transaction.execute("rollback to savepoint one")
                return column
            }
        }
        return nil
    }
}
