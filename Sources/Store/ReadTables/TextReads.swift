// Reads texts by key and language (B61), each in the closest available language.
import Domain
import Postgres

package struct TextReads: Sendable {
    /// An app requests all its texts at once; this many are one page.
    package static let pageSize = 500

    let connection: StoreConnection

    /// The texts whose key starts with `prefix`, by key.
    package func page(prefix: String?, _ language: ReadLanguage, cursor: String?) async throws -> DocumentPage {
        var conditions: SQL = ""
        if let prefix { conditions += " and starts_with(t.key, \(prefix))" }
        if let cursor { conditions += " and t.key > \(try Cursor(parsing: cursor, count: 1).values[0])" }
        let rows = try await connection.rows(
            """
            select t.key, \(language.fallbackMember) || substr(t.document::text, 2) as document
            from (select distinct on (t.key) t.* from api_v1.text t, (select \(language.chain) as chain) c
                  where t.locale = any(c.chain)\(conditions) order by t.key, array_position(c.chain, t.locale)
                  limit \(fixed: Self.pageSize + 1)) t order by t.key
            """)
        return try DocumentPage(rows, cursor: ["key"], size: Self.pageSize)
    }

    package func find(_ key: String, _ language: ReadLanguage) async throws -> [UInt8]? {
        try await connection.first(
            """
            select \(language.fallbackMember) || substr(t.document::text, 2) as document
            from api_v1.text t, (select \(language.chain) as chain) c
            where t.key = \(key) and t.locale = any(c.chain) order by array_position(c.chain, t.locale) limit 1
            """
        ) { try $0.bytes("document") }
    }
}
