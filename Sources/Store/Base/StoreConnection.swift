// Runs the stores' statements one at a time and converts PostgreSQL errors into failures.
import Postgres

/// The size in bytes of the file of an image at a path of the media library; nil if there is none.
package typealias MediaFileSize = @Sendable (String) async throws -> Int?

/// A pool or an open transaction. Errors a person can act on are thrown as `Domain.Failure`; all others are faults.
package struct StoreConnection: Sendable {
    private let base: any Queryable
    /// Tells publications whether the files of images exist; nil skips this check.
    let mediaFileSize: MediaFileSize?
    /// The packs of the deployment.
    package let packs: PackSet

    package init(_ base: any Queryable, packs: PackSet, mediaFileSize: MediaFileSize? = nil) {
        self.base = base
        self.packs = packs
        self.mediaFileSize = mediaFileSize
    }

    /// The same packs and checks on another connection.
    package func on(_ base: any Queryable) -> StoreConnection {
        StoreConnection(base, packs: packs, mediaFileSize: mediaFileSize)
    }

    package func rows(_ statement: SQL) async throws -> [Row] {
        try await StoreFailure.translating { try await base.query(statement) }
    }

    package func rows<Value>(_ statement: SQL, _ decode: (Row) throws -> Value) async throws -> [Value] {
        try await rows(statement).map(decode)
    }

    /// For a statement that may take as long as a publication, because its duration grows with the amount of data.
    package func longRows<Value>(_ statement: SQL, _ decode: (Row) throws -> Value) async throws -> [Value] {
        try await StoreFailure.translating { try await base.runLong(statement) }.rows.map(decode)
    }

    package func longFirst<Value>(_ statement: SQL, _ decode: (Row) throws -> Value) async throws -> Value? {
        try await longRows(statement, decode).first
    }

    package func first<Value>(_ statement: SQL, _ decode: (Row) throws -> Value) async throws -> Value? {
        try await rows(statement).first.map(decode)
    }

    /// Queues a statement whose result nobody needs before the commit. It is sent together with the next statement,
    /// which also reports its error; callers must not rely on catching that error earlier.
    package func runLater(_ statement: SQL) async throws {
        try await StoreFailure.translating { try await base.runLater(statement) }
    }

    /// Runs a statement and returns the number of affected rows.
    @discardableResult
    package func run(_ statement: SQL) async throws -> Int {
        try await StoreFailure.translating { try await base.execute(statement) }
    }
}
