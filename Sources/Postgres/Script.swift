// Runs a text of many statements, such as a schema's views, on a connection of its own.

extension PostgresClient {
    /// Runs the statements of `text` in their order, outside the pool and without deadlines. The text says itself where
    /// a transaction begins and ends; without that, all of it is one.
    package func run(script text: String) async throws {
        let session = try await MigrationSession.open(for: self)
        defer { session.close() }
        try await session.run("\(raw: text)")
    }

    /// The same for a text that may run again from its beginning, which it does while other sessions hold its locks.
    package func run(script text: String, named name: String, lockTries: Int = Migrator.lockTries) async throws {
        try await Migrator.retryingLocks(name, tries: lockTries) { try await run(script: text) }
    }
}
