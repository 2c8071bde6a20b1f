// Links of the admin with a query string.
import Domain
import HTTP

extension AdminPath {
    /// The path with these values, and the fields of the query that are neither nil nor empty.
    package func callAsFunction(
        _ values: any CustomStringConvertible..., query: KeyValuePairs<String, (any CustomStringConvertible)?>
    ) -> String {
        let fields = query.compactMap { name, value in value.map { FormFields.Field(name: name, value: "\($0)") } }
            .filter { !$0.value.isEmpty }
        return path(values) + (fields.isEmpty ? "" : "?" + FormFields(fields).urlEncoded)
    }
}
