// Version and durability settings of the database server.
import Postgres

package struct ServerInfo: Sendable {
    /// In PostgreSQL's format: 150018 is 15.18.
    package let version: Int
    /// Settings that are off, although acknowledged writes only survive a crash if they are on (R37).
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
