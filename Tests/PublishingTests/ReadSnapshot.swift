// The read tables as tests compare them: every row as text, by table and key.
import Postgres
import Store
import TestSupport

extension TestDatabase {
    /// The text of a row's key, as the change feed names it.
    private func keyText(of table: String) async throws -> String {
        let keys: [String] = try await client.one("select key from projection.read_table where name = \(table)")("key")
        return keys.map { "\($0)::text" }.joined(separator: " || '/' || ")
    }

    /// Every row of the projected read tables.
    func readSnapshot() async throws -> [String: String] {
        var found: [String: String] = [:]
        for table in TestDatabase.packs.projectedTables {
            let key = try await keyText(of: table)
            for row in try await client.query(
                "select \(raw: key) as key, to_jsonb(t)::text as row from api_v1.\(raw: table) t")
            {
                found["\(table) \(try row("key") as String)"] = try row("row") as String
            }
        }
        return found
    }

    /// One row, as it is now; nil when there is none.
    func readRow(of table: String, key: String) async throws -> String? {
        let keyText = try await keyText(of: table)
        return try await client.query(
            "select to_jsonb(t)::text as row from api_v1.\(raw: table) t where \(raw: keyText) = \(key)"
        ).first.map { try $0("row") }
    }
}
