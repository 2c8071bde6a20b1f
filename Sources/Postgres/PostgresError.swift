// Errors of statements and connections.
import CPostgres

/// A failed statement or connection.
package struct PostgresError: Error, Sendable, CustomStringConvertible {
    package enum Kind: Sendable {
        /// PostgreSQL refused the statement; `sqlState` says why.
        case server
        /// No connection, a lost one, or none free in time. After a lost one the outcome of a write is unknown.
        case unavailable
        /// No result arrived in time; the outcome of a write is unknown unless PostgreSQL itself canceled it.
        case deadline
    }

    package let kind: Kind
    /// Five characters; empty when the error did not come from a server.
    package var sqlState = ""
    package let message: String
    package var detail: String?
    package var hint: String?
    package var constraint: String?
    package var table: String?
    package var column: String?
    package var schema: String?
    package var context: String?
    /// Whether only an operator can repair the cause: retrying does not help.
    package internal(set) var isMisconfigured = false
    /// PostgreSQL no longer has, or no longer accepts, the prepared statement.
    var isStalePlan = false

    package init(kind: Kind, sqlState: String = "", message: String) {
        self.kind = kind
        self.sqlState = sqlState
        self.message = message
    }

    /// Whether the whole transaction can be retried (serialization failure or deadlock).
    package var isRetryable: Bool { sqlState == "40001" || sqlState == "40P01" }

    /// Whether a retry may succeed later, so that interfaces respond with 503: no connection, no time,
    /// a read-only server (25006), a lock that was not free in time (55P03), no disk or memory left (class 53).
    package var isUnavailable: Bool {
        kind != .server || sqlState == "25006" || sqlState == "55P03" || sqlState.hasPrefix("53")
    }

    package var description: String {
        var text = sqlState.isEmpty ? message : "\(message) (\(sqlState))"
        let more = [
            ("detail", detail), ("hint", hint), ("schema", schema), ("table", table), ("column", column),
            ("constraint", constraint), ("context", context),
        ]
        for case (let name, let value?) in more { text += "; \(name): \(value)" }
        return text
    }

    static func unavailable(_ message: String) -> PostgresError {
        PostgresError(kind: .unavailable, message: message)
    }

    static let sharedSessions: PostgresError = {
        var error = unavailable(
            "a pooler in transaction mode is in front of PostgreSQL: it shares server sessions among its clients, so one "
                + "client's role and settings would apply to another. Set its pool_mode to session, or connect directly"
        )
        error.isMisconfigured = true
        return error
    }()

    /// What libpq quotes is left out: it may be a part of the password. Of 'missing "=" after …' nothing is left.
    static func malformedURL(_ reason: String) -> PostgresError {
        let cause = reason.prefix { $0 != "\"" && $0 != ":" }.split(separator: " ").joined(separator: " ")
        var error = unavailable(
            "the URL of the database is malformed\(cause.contains(" ") ? " (\(cause))" : ""); write it as "
                + "postgresql://USER:PASSWORD@HOST:PORT/DATABASE, and in the password %25 for %, %2F for / and %40 for @"
        )
        error.isMisconfigured = true
        return error
    }

    static let reserved = unavailable("the last connections of PostgreSQL are reserved for commands")

    static let deadlinePassed = PostgresError(
        kind: .deadline, message: "PostgreSQL did not respond before the statement's deadline")

    /// This error of a session that could not be set up, as the reason why there is no connection.
    var endingSession: PostgresError {
        PostgresError(kind: .unavailable, sqlState: sqlState, message: "could not start the session: \(message)")
    }

    /// Reads libpq's error result.
    init(result: OpaquePointer) {
        func field(_ field: vitrine_pq_field) -> String? {
            PQresultErrorField(result, CInt(field.rawValue)).map { String(cString: $0) }
        }
        let state = field(VITRINE_PQ_SQLSTATE) ?? ""
        let severity = field(VITRINE_PQ_SEVERITY) ?? ""
        let message = field(VITRINE_PQ_MESSAGE) ?? PostgresError.trimmed(PQresultErrorMessage(result))
        self.init(kind: PostgresError.kind(state, severity), sqlState: state, message: message)
        detail = field(VITRINE_PQ_DETAIL)
        hint = field(VITRINE_PQ_HINT)
        constraint = field(VITRINE_PQ_CONSTRAINT)
        table = field(VITRINE_PQ_TABLE)
        column = field(VITRINE_PQ_COLUMN)
        schema = field(VITRINE_PQ_SCHEMA)
        context = field(VITRINE_PQ_CONTEXT)
        // "cached plan must not change result type" has no code of its own; its place in the server has a name.
        isStalePlan =
            state == "26000" || (state == "0A000" && field(VITRINE_PQ_SOURCE_FUNCTION) == "RevalidateCachedQuery")
            // A migration has dropped what the plan names. The statement has failed, so it has written nothing.
            || (state == "XX000" && message.hasPrefix("cache lookup failed for "))
    }

    private static func kind(_ state: String, _ severity: String) -> Kind {
        if state == "57014" { return .deadline }
        // After FATAL or PANIC the server closes the connection, whatever the reason.
        let isOver = severity == "FATAL" || severity == "PANIC"
        return isOver || state.isEmpty || state == "53300" || state.hasPrefix("08") || state.hasPrefix("57P")
            ? .unavailable : .server
    }

    /// libpq's messages, on one line.
    static func trimmed(_ message: UnsafePointer<CChar>?) -> String {
        guard let message else { return "no message" }
        return String(cString: message).split(separator: "\n").joined(separator: " ")
    }
}
