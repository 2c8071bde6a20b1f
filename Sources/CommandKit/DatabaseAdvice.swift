// Says why a database is unavailable or lacks something, and what to do, for the command line.
import Domain
import Postgres

package enum DatabaseAdvice {
    package static func sentence(for error: PostgresError) -> String {
        // libpq's own advice follows after a tab.
        var cause = String(error.message.prefix { $0 != "\t" })
        while cause.last == " " || cause.last == "." { cause.removeLast() }
        let sentence = "The database is unavailable: \(cause)."
        return error.isMisconfigured ? sentence : "\(sentence) \(action(for: error))"
    }

    /// Of a database that works and lacks what commands need; nil for other errors.
    package static func failure(for error: PostgresError) -> Failure? {
        let message = "\(error.message.prefix(1).uppercased())\(error.message.dropFirst())"
        if error.sqlState == "42501" {
            return .forbidden(
                "\(message). Set DATABASE_URL to a login that may do this, such as that of the owner of the database.")
        }
        // Schema, table, column, function or role.
        let isMissing =
            ["3F000", "42P01", "42703", "42883", "42704"].contains(error.sqlState)
            || error.sqlState == "22023" && message.contains("does not exist")
        guard isMissing else { return nil }
        return .refused(
            code: "schema",
            message: "\(message), so this program has not migrated the database. Check the name of the database in "
                + "DATABASE_URL, and run \"vitrine migrate\" as its owner.")
    }

    /// PostgreSQL refuses a connection without a code that libpq passes on, so its words count, too.
    private static func action(for error: PostgresError) -> String {
        switch error.sqlState {
        case "25006": return "Connect to the primary, which accepts changes, or turn off default_transaction_read_only."
        case "55P03": return "Another session holds a lock. Try again in a moment."
        case "53100": return "Free space on the disk of PostgreSQL."
        case "53200": return "Give PostgreSQL more memory, or less to do."
        default: break
        }
        return actions.first { $0.words.contains { error.message.contains($0) } }?.action
            ?? (error.kind == .deadline
                ? "Try again when PostgreSQL has less to do."
                : "Check DATABASE_URL and that PostgreSQL is running.")
    }

    /// The first action counts of which any words are in the message.
    private static let actions: [(action: String, words: [String])] = [
        (
            "Close other connections, or raise max_client_conn and the pool size of the pooler.",
            ["max_client_conn", "no more connections allowed", "query_wait_timeout"]
        ),
        (
            "Close other connections, or raise max_connections of PostgreSQL.",
            ["too many", "connection slots", "reserved for commands"]
        ),
        ("The pooler can't connect to PostgreSQL. Check the pooler's log.", ["server_login_retry", "server login"]),
        ("Check the user in DATABASE_URL; the pooler must know it.", ["no such user"]),
        ("Check the user and the password in DATABASE_URL.", ["password", "SASL", "auth failed"]),
        (
            "Check the user in DATABASE_URL, and allow the connection in pg_hba.conf.",
            ["pg_hba.conf", "authentication failed"]
        ),
        (
            "Grant CONNECT on the database to the user in DATABASE_URL.", ["permission denied for database"]
        ),
        ("Check the user in DATABASE_URL; it must exist and may log in.", ["role \""]),
        ("Allow connections to the database (ALTER DATABASE).", ["not currently accepting connections"]),
        (
            "Check the name of the database in DATABASE_URL; create the database if it is missing.",
            ["database \"", "no such database"]
        ),
        (
            "Try again in a moment.",
            ["starting up", "shutting down", "recovery mode", "not yet accepting", "terminating connection"]
        ),
        ("Free space on the disk of PostgreSQL.", ["No space left on device"]),
        (
            "Check the certificates, with their dates and issuers, and sslrootcert and sslcert in DATABASE_URL.",
            [
                "certificate verify failed", "certificate has expired", "certificate file", "client certificate",
                "private key",
            ]
        ),
        ("Check the host in DATABASE_URL.", ["host name", "No route", "unreachable"]),
        ("Check the port in DATABASE_URL.", ["invalid port"]),
        ("Check the port and sslmode in DATABASE_URL.", ["SSL", "certificate"]),
        (
            "Check the port in DATABASE_URL: another program listens there.",
            ["expected authentication request", "invalid response"]
        ),
        (
            "Check the host and the port in DATABASE_URL, and that no firewall drops the connection.",
            ["accept a connection in time", "timed out"]
        ),
        (
            "Check the host and the port in DATABASE_URL, and that PostgreSQL is running.",
            ["No such file", "closed the connection unexpectedly"]
        ),
        (
            "Correct DATABASE_URL: postgresql://USER:PASSWORD@HOST:PORT/DATABASE, and what follows a question mark.",
            ["connection option", "invalid sslmode", "invalid channel_binding", "target_session_attrs"]
        ),
    ]
}
