// One part of a comparison of the read tables: all counts, or a slice of a projection.
import Domain
import Postgres

package struct VerificationPart: Sendable {
    /// A projection, or "counts".
    package let name: String
    /// The slice begins with this ID; nil for no bound.
    package let first: ID<Entry>?
    /// It ends before this ID; nil for no bound.
    package let end: ID<Entry>?

    init(row: Row) throws {
        name = try row("part")
        first = try row("first_entry")
        end = try row("end_entry")
    }

    /// The part in the payload of a task; nil if it names none.
    package init?(payload: JSONValue) {
        guard let name = payload["part"]?.stringValue else { return nil }
        self.name = name
        first = payload["first"]?.stringValue.flatMap { ID<Entry>($0) }
        end = payload["end"]?.stringValue.flatMap { ID<Entry>($0) }
    }

    /// The payload of a task that compares it, of rows since a publication.
    package func payload(since: Int64) -> JSONValue {
        var members: [String: JSONValue] = ["part": .string(name), "since": .int(since)]
        if let first { members["first"] = .string(first.description) }
        if let end { members["end"] = .string(end.description) }
        return .object(members)
    }
}
