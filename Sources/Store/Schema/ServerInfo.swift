// What the database server says of itself.
import Postgres

package struct ServerInfo: Sendable {
    /// As PostgreSQL counts: 150018 is 15.18.
    package let version: Int
    /// Settings that must be on for acknowledged writes to survive a crash, and are off (R37).
    package let unsafe: [String]

    package static func read(_ database: Database) async throws -> ServerInfo {
        let rows = try await database.connection.rows(
            """
            select name, setting from pg_settings
            where name in ('server_version_num', 'fsync', 'full_page_writes', 'synchronous_commit')
            """
        ) { (name: try $0("name") as String, setting: try $0("setting") as String) }
        return ServerInfo(
            version: rows.first { $0.name == "server_version_num" }.flatMap { Int($0.setting) } ?? 0,
            unsafe: rows.filter { $0.setting == "off" }.map(\.name))
    }
}
