// Builds paths and queries of API URLs.
import HTTP

package enum PathText {
    package static func segment(_ text: String) -> String { PercentCoding.encode(text) }

    /// The path of a request, encoded again.
    package static func path(of request: Request) -> String {
        request.path.split(separator: "/", omittingEmptySubsequences: false).map { segment(String($0)) }
            .joined(separator: "/")
    }

    /// The URL of the page at `cursor`, with the same query otherwise.
    static func next(of request: Request, cursor: String) -> String {
        let others = request.query.fields.filter { $0.name != "cursor" }
        let fields = others + [FormFields.Field(name: "cursor", value: cursor)]
        return path(of: request) + "?" + FormFields(fields).urlEncoded
    }

    /// The rest of the query after a parameter, with a leading `&`; empty if there is none.
    package static func rest(of request: Request, without name: String) -> String {
        let others = request.query.fields.filter { $0.name != name }
        return others.isEmpty ? "" : "&" + FormFields(others).urlEncoded
    }

    /// The query of a request with its question mark; empty if there is none.
    package static func query(of request: Request) -> String {
        request.query.fields.isEmpty ? "" : "?" + request.query.urlEncoded
    }
}
