// What can be asked of a client as well as of a transaction.

package protocol Queryable: Sendable {
    /// Runs one statement and gives its rows and command tag. Throws `PostgresError`.
    func run(_ sql: SQL) async throws -> QueryResult

    /// The same for a statement that may take as long as the configuration's `longDeadline`.
    func runLong(_ sql: SQL) async throws -> QueryResult

    /// Runs one statement whose result nobody asks for. In a transaction it may wait and travel with what comes next,
    /// at the
    /// latest with the commit: its error is thrown there.
    func runLater(_ sql: SQL) async throws
}

extension Queryable {
    package func runLater(_ sql: SQL) async throws {
        _ = try await run(sql)
    }

    package func query(_ sql: SQL) async throws -> [Row] {
        try await run(sql).rows
    }

    /// The first row, or nil when there is none.
    package func first(_ sql: SQL) async throws -> Row? {
        try await run(sql).rows.first
    }

    /// The first row; having none is an error (a `PostgresError` with PL/pgSQL's code for it, P0002).
    package func one(_ sql: SQL) async throws -> Row {
        guard let row = try await first(sql) else {
            throw PostgresError(kind: .server, sqlState: "P0002", message: "the statement gave no row")
        }
        return row
    }

    /// Runs a statement for its effect and tells how many rows it touched.
    @discardableResult
    package func execute(_ sql: SQL) async throws -> Int {
        try await run(sql).affected
    }
}
