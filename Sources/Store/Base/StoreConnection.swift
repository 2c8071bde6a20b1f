// The way every store asks PostgreSQL: one statement at a time, with errors in the product's words.
import Postgres

/// A pool or an open transaction. Errors that a person can understand come out as `Domain.Failure`; the rest is a fault.
package struct StoreConnection: Sendable {
    private let base: any Queryable

    package init(_ base: any Queryable) {
        self.base = base
    }

    func rows(_ statement: SQL) async throws -> [Row] {
        try await StoreFailure.translating { try await base.query(statement) }
    }

    func rows<Value>(_ statement: SQL, _ decode: (Row) throws -> Value) async throws -> [Value] {
        try await rows(statement).map(decode)
    }

    /// For a statement that may take as long as a publication: it works through as much as there is.
    func longRows<Value>(_ statement: SQL, _ decode: (Row) throws -> Value) async throws -> [Value] {
        try await StoreFailure.translating { try await base.runLong(statement) }.rows.map(decode)
    }

    func longFirst<Value>(_ statement: SQL, _ decode: (Row) throws -> Value) async throws -> Value? {
        try await longRows(statement, decode).first
    }

    func first<Value>(_ statement: SQL, _ decode: (Row) throws -> Value) async throws -> Value? {
        try await rows(statement).first.map(decode)
    }

    /// Runs a statement whose effect nobody needs to hear of before the commit: it travels with the next one, and so does
    /// its error. Nobody may mean to catch that error on the way.
    func runLater(_ statement: SQL) async throws {
        try await StoreFailure.translating { try await base.runLater(statement) }
    }

    /// Runs a statement for its effect; gives the number of rows it touched.
    @discardableResult
    func run(_ statement: SQL) async throws -> Int {
        try await StoreFailure.translating { try await base.execute(statement) }
    }
}
