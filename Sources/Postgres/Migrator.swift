// Migrates the schema of a database.

/// Why the schema was not migrated; the description says what to do.
package enum MigrationError: Error, Sendable, CustomStringConvertible {
    /// An applied migration was edited.
    case changed(name: String)
    /// A migration's text ended its own transaction.
    case endedTransaction(name: String)
    /// Another session held a lock for too long.
    case locked(name: String)
    case failed(name: String, PostgresError)

    package var description: String {
        switch self {
        case .changed(let name):
            "Migration \(name) was applied with a different text. Restore its text, and put the change into "
                + "a new migration."
        case .endedTransaction(let name):
            "Migration \(name) contains COMMIT or ROLLBACK. Remove it, or begin the file with "
                + "\"\(Migration.noTransactionMark)\"."
        case .locked(let name):
            "Migration \(name) could not get a lock, because other sessions use its tables or another "
                + "migration is running. It was rolled back. Try again later, or end the sessions that hold the lock."
        case .failed(let name, let error): "Migration \(name) failed: \(error)"
        }
    }
}

/// Applies migrations in order: each once, one process at a time, each in a transaction that also records it.
///
/// Safe to kill at any moment and run again. Migrations that the database has and this program does not
/// know belong to a newer program, and are left alone.
package struct Migrator: Sendable {
    private let migrations: [Migration]
    private let schema: String
    private let lockTries: Int
    /// Chosen at random once; the same in every version, so that two versions exclude each other.
    private static let advisoryLock = 7_300_451_926_018_345_117 as Int64

    /// Attempts of what does not get its locks within 5 seconds.
    package static let lockTries = 12

    /// - Parameters:
    ///   - schema: contains the table `migration`; created if missing.
    ///   - lockTries: attempts for a migration that does not get its locks within 5 seconds.
    package init(migrations: [Migration], schema: String = "vitrine", lockTries: Int = Migrator.lockTries) {
        self.migrations = migrations
        self.schema = schema
        self.lockTries = lockTries
    }

    private var table: SQL { "\(raw: SQLName.quoted(schema)).migration" }

    // MARK: Inspecting

    /// The migrations that are pending. Throws `MigrationError.changed` on drift.
    package func pending(_ database: any Queryable) async throws -> [Migration] {
        let name = "\(SQLName.quoted(schema)).migration"
        let isThere: Bool = try await database.one("select to_regclass(\(name)) is not null")(0)
        return try missing(from: isThere ? await database.query("select name, checksum from \(table)") : [])
    }

    private func missing(from applied: [Row]) throws -> [Migration] {
        let checksums = try Dictionary(uniqueKeysWithValues: applied.map { (try $0(0) as String, try $0(1) as String) })
        for migration in migrations {
            if let checksum = checksums[migration.name], checksum != migration.checksum {
                throw MigrationError.changed(name: migration.name)
            }
        }
        return migrations.filter { checksums[$0.name] == nil }
    }

    /// What `apply` would run now, as SQL with comments, including the records of the migrations.
    package func dryRun(_ database: any Queryable, author: String) async throws -> String {
        try await pending(database).map { migration in
            let (begin, commit) = migration.transactional ? ("begin;\n", "commit;\n") : ("", "")
            let values = [migration.name, migration.checksum, author].map { "'\($0.replacing("'", with: "''"))'" }
            return """
                -- \(migration.name)
                \(begin)\(migration.text)
                insert into \(table.text) (name, checksum, applied_by) values (\(values.joined(separator: ", ")));
                \(commit)
                """
        }.joined(separator: "\n")
    }

    /// Creates the table of the migrations that were applied.
    package var tableCreation: String {
        """
        begin;
        create schema if not exists \(SQLName.quoted(schema));
        create table if not exists \(table.text) (
            name text primary key,
            checksum text not null,
            applied_at timestamptz not null default now(),
            applied_by text not null
        );
        commit
        """
    }

    // MARK: Applying

    /// Applies pending migrations and returns their names, in order.
    ///
    /// - Parameters:
    ///   - author: recorded beside each migration; say, the program's version.
    ///   - progress: called with each name before its migration begins.
    @discardableResult
    package func apply(
        with client: PostgresClient, author: String, progress: @Sendable (String) -> Void = { _ in }
    ) async throws -> [String] {
        let session = try await MigrationSession.open(for: client)
        defer { session.close() }
        // The lock belongs to the session and goes with it, however this process ends.
        try await retryingLocks("(all)") {
            try await session.run("select pg_advisory_lock(\(Migrator.advisoryLock))")
        }
        try await makeTable(session)
        let pending = try missing(from: await session.run("select name, checksum from \(table)"))
        for migration in pending {
            progress(migration.name)
            try await retryingLocks(migration.name) { try await apply(migration, author, session) }
        }
        return pending.map(\.name)
    }

    private func makeTable(_ session: MigrationSession) async throws {
        // Asked first, for a role that may not make schemas must be able to run when there is nothing to do.
        let name = "\(SQLName.quoted(schema)).migration"
        let rows = try await session.run("select to_regclass(\(name)) is not null")
        if try rows.first?(0) == true { return }
        try await session.run("\(raw: tableCreation)")
    }

    private func retryingLocks(_ name: String, _ body: () async throws -> Void) async throws {
        do {
            try await Self.retryingLocks(name, tries: lockTries, body)
        } catch let error as PostgresError {
            throw MigrationError.failed(name: name, error)
        }
    }

    /// Runs `body` again if it does not get its locks in time, or in a deadlock.
    static func retryingLocks(_ name: String, tries: Int, _ body: () async throws -> Void) async throws {
        for attempt in 1... {
            do {
                return try await body()
            } catch let error as PostgresError where error.sqlState == "55P03" || error.isRetryable {
                if attempt >= tries { throw MigrationError.locked(name: name) }
                try await Task.sleep(for: .milliseconds(Int.random(in: 100...1000)))
            }
        }
    }

    private func apply(_ migration: Migration, _ author: String, _ session: MigrationSession) async throws {
        let record: SQL = """
            insert into \(table) (name, checksum, applied_by)
            values (\(migration.name), \(migration.checksum), \(author))
            """
        guard migration.transactional else {
            for statement in StatementSplitter.statements(of: migration.text) {
                try await session.run("\(raw: statement)")
            }
            try await session.run(record)
            return
        }
        try await session.run("begin")
        do {
            try await session.run("\(raw: migration.text)")
            guard await session.isInTransaction else { throw MigrationError.endedTransaction(name: migration.name) }
            try await session.run(record)
            try await session.run("commit")
        } catch {
            // When even this fails the connection is gone, and the transaction with it.
            _ = try? await session.run("rollback")
            throw error
        }
    }
}
