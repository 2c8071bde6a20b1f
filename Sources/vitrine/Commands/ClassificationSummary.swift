// What the external classifier says about a submission, as "queue show" prints it.
import Domain
import Platform
import Store

struct ClassificationSummary: Sendable {
    private let row: ClassificationRow?

    static func load(_ id: ID<Submission>, _ database: Database) async throws -> ClassificationSummary {
        ClassificationSummary(row: try await database.classifications.find(id))
    }

    /// Null where no classifier is asked.
    var json: JSONValue {
        guard let row else { return .null }
        return .object([
            "state": .string(row.state.rawValue), "score": row.response.map { .int(Int64($0.score)) } ?? .null,
            "reasons": .array((row.response?.reasons ?? []).map(JSONValue.string)),
            "name": row.response?.name.map(JSONValue.string) ?? .null,
            "version": row.response?.version.map(JSONValue.string) ?? .null,
            "responded_at": row.respondedAt.map { .string(InstantText.text($0)) } ?? .null,
            "problem": row.problem.map(JSONValue.string) ?? .null,
        ])
    }

    var lines: [String] {
        guard let row else { return [] }
        guard let response = row.response else {
            return ["classifier: \(row.state.rawValue)\(row.problem.map { ", \($0)" } ?? "")"]
        }
        return ["classifier: \(response.score)"] + response.reasons.map { "  \($0)" }
    }
}
