// Converts PostgreSQL errors into failures: a violated constraint becomes its message.
import Domain
import Localization
import Postgres

enum StoreFailure {
    /// Runs `body`. Throws a PostgreSQL error that people can act on as a `Failure`, any other unchanged.
    static func translating<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as PostgresError {
            if let failure = failure(for: error) { throw failure }
            throw error
        }
    }

    static func failure(for error: PostgresError) -> Failure? {
        if error.sqlState == "57014" { return .tooSlow }
        if error.kind != .server || error.isUnavailable {
            return .unavailable(
                "The database is unavailable. Try again in a moment; if you were saving, first check whether your "
                    + "changes were saved.")
        }
        if error.isRetryable { return .busy }
        // A value that PostgreSQL cannot parse as its type (class 22), such as a date that does not exist.
        if error.sqlState.hasPrefix("22") {
            return .invalid(FieldErrors("", "format", tr("A value has the wrong format: \(error.message).")))
        }
        guard let constraint = error.constraint, let rule = ConstraintRules.rule(for: constraint) else { return nil }
        // Publishing names the entry.
        if let detail = error.detail, detail.hasPrefix("{"), let value = try? JSONValue(stored: Array(detail.utf8)),
            let blocked = BlockedEntry(reading: value)
        {
            return blocked.failure
        }
        return rule(error.message)
    }
}

extension Failure {
    /// PostgreSQL canceled a statement that took too long, and so its transaction.
    static let tooSlow = Failure.unavailable(
        "This took too long, so it was stopped and nothing was saved. Try again in a moment.")

    /// Another transaction has changed the same rows meanwhile.
    package static var busy: Failure {
        .conflict(
            code: "busy", message: tr("Someone else was changing the same data, so nothing was saved. Try again."))
    }
}
