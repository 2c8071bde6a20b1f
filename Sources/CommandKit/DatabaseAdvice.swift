// Says why a database is unavailable and what to do, for the command line.
import Postgres

package enum DatabaseAdvice {
    package static func sentence(for error: PostgresError) -> String {
        // libpq's own advice follows after a tab.
        var cause = String(error.message.prefix { $0 != "\t" })
        while cause.last == " " || cause.last == "." { cause.removeLast() }
        let sentence = "The database is unavailable: \(cause)."
        return error.isMisconfigured ? sentence : "\(sentence) \(action(for: error))"
    }

    /// PostgreSQL refuses a connection without a code that libpq passes on, so its words count, too.
    private static func action(for error: PostgresError) -> String {
        switch error.sqlState {
        case "25006": return "Connect to the primary: a standby accepts no changes."
        case "55P03": return "Another session holds a lock. Try again in a moment."
        case "53100": return "Free space on the disk of PostgreSQL."
        default: break
        }
        return actions.first { error.message.contains($0.words) }?.action
            ?? (error.kind == .deadline
                ? "Try again when PostgreSQL has less to do."
                : "Check DATABASE_URL and that PostgreSQL is running.")
    }

    private static let actions: [(words: String, action: String)] = [
        ("too many", "Close other connections, or raise max_connections of PostgreSQL."),
        ("connection slots", "Close other connections, or raise max_connections of PostgreSQL."),
        ("password", "Check the user and the password in DATABASE_URL."),
        ("pg_hba.conf", "Check the user in DATABASE_URL, and allow the connection in pg_hba.conf."),
        ("authentication failed", "Check the user in DATABASE_URL, and allow the connection in pg_hba.conf."),
        ("role \"", "Check the user in DATABASE_URL; it must exist and may log in."),
        ("database \"", "Check the name of the database in DATABASE_URL; create the database if it is missing."),
        ("starting up", "Try again in a moment."), ("shutting down", "Try again in a moment."),
        ("host name", "Check the host in DATABASE_URL."),
    ]
}
