// Finds the URL of a daemon that runs on the database, for commands that print links.
import Postgres

/// The connections of a daemon have its URL in their name. Unlike a stored URL, it's there only while the daemon runs.
package enum DaemonAddress {
    private static let prefix = "vitrine "
    /// PostgreSQL truncates longer names.
    private static let maxBytes = 63

    /// `vitrine https://cms.example.org`; only `vitrine` if a URL is too long (more than 55 bytes).
    package static func applicationName(_ url: String) -> String {
        let name = prefix + url
        return name.utf8.count <= maxBytes ? name : String(prefix.dropLast())
    }

    /// The URL of the daemon that connected last; nil if none is connected or its URL is too long.
    package static func find(_ database: Database) async throws -> String? {
        try await database.connection.rows(
            """
            select substr(application_name, 9) as url from pg_stat_activity
            where datname = current_database() and application_name like 'vitrine http%'
            order by backend_start desc, pid desc limit 1
            """
        ) { try $0("url") as String }.first
    }
}
