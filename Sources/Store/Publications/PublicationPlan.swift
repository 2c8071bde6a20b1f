// The row changes that a publication would make, computed by running it and rolling it back.
import Domain

/// One row that a publication would write: the complete row before and after, as JSON objects.
package struct RowChange: Sendable, Encodable {
    package let table: String
    package let key: String
    package let operation: String
    package let before: JSONValue?
    package let after: JSONValue?
}

package struct PublicationPlan: Sendable {
    /// The publication that the plan starts from.
    package let base: Int64
    package let total: Int
    package let inserted: Int
    package let updated: Int
    package let deleted: Int
    /// Equal for two plans exactly when they would write the same rows.
    package let digest: String
    /// The first row changes, up to the requested limit.
    package let rows: [RowChange]
    /// The entries that the publication would be refused for, each once; at most 1000.
    package let blocked: [BlockedEntry]

    package init(reading value: JSONValue) throws {
        func number(_ name: String) -> Int { (value[name]?.integerValue).map(Int.init) ?? 0 }
        base = Int64(number("base"))
        total = number("total")
        inserted = number("inserted")
        updated = number("updated")
        deleted = number("deleted")
        digest = value["digest"]?.stringValue ?? ""
        rows = (value["rows"]?.arrayValue ?? []).map { row in
            RowChange(
                table: row["read_table"]?.stringValue ?? "", key: row["key"]?.stringValue ?? "",
                operation: row["operation"]?.stringValue ?? "",
                before: row["before"].flatMap { $0 == .null ? nil : $0 },
                after: row["after"].flatMap { $0 == .null ? nil : $0 })
        }
        blocked = BlockedEntry.distinct(value["blocked"])
    }
}
