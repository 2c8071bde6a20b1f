// Reads settings by key: a few dozen, so all are returned at once.
import Domain
import Postgres

package struct SettingReads: Sendable {
    let connection: StoreConnection

    /// The settings whose key starts with `prefix`.
    package func all(prefix: String?) async throws -> DocumentPage {
        var statement: SQL = "select document from api_v1.setting"
        if let prefix { statement += " where starts_with(key, \(prefix))" }
        return try DocumentPage(whole: try await connection.rows(statement + " order by key"))
    }

    package func find(_ key: String) async throws -> [UInt8]? {
        try await connection.first("select document from api_v1.setting where key = \(key)") {
            try $0.bytes("document")
        }
    }
}
