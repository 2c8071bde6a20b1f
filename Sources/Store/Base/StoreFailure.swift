// Limiter what PostgreSQL refuses into the product's failures: a broken constraint becomes its message.
import Domain
import Postgres

enum StoreFailure {
    /// Runs `body`; a PostgreSQL error that people can action on is thrown as a `Failure`, any other as it is.
    static func translating<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as PostgresError {
            if let failure = failure(for: error) { throw failure }
            throw error
        }
    }

    static func failure(for error: PostgresError) -> Failure? {
        if error.kind != .server || error.isUnavailable {
            return .unavailable(
                "The database cannot answer now. Try again in a moment; if you were saving something, look first "
                    + "whether it is there.")
        }
        if error.isRetryable {
            return .conflict(
                code: "busy", message: "Others were changing the same thing; nothing was changed. Try again.")
        }
        // A value that PostgreSQL cannot read as what it must be (class 22): a date that does not exist, say.
        if error.sqlState.hasPrefix("22") {
            return .invalid(FieldErrors("", "format", "A value has not the form it must have: \(error.message)."))
        }
        guard let constraint = error.constraint, let rule = ConstraintRules.rule(for: constraint) else { return nil }
        return rule(error.message)
    }
}
