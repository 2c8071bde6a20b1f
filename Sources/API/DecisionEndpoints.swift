// Decides a submission for a review tool.
import Domain
import HTTP
import Store

enum DecisionEndpoints {
    /// `POST /v1/submissions/{id}/decision`
    static func decide(_ call: APICall) async throws -> Response {
        let client = try call.client()
        guard let id = ID<Submission>(call.path("id")) else { throw Failure.missing("submission") }
        var reader = try DecisionReader(call.request)
        let (draft, version) = try await reader.read(call.services().database)
        let outcome = try await call.services().decideSubmission(
            id, draft, version: version, by: client.actor(of: call.request))
        let change = outcome.change
        let document: [String: JSONValue] = [
            "id": .string(id.description), "state": .string(outcome.state.rawValue),
            "entry": change.map { .string($0.entry.description) } ?? .null,
            "approved": .bool(change?.isApproved ?? false),
            "publication": change?.publication.map(JSONValue.int) ?? .null,
            "release": change?.release.map(JSONValue.int) ?? .null,
            "warnings": (change?.warnings ?? FieldErrors()).json,
        ]
        let body = JSONValue.object(document).canonicalText
        return Response(call.request, call.site.headers.unkept, body: Array(body.utf8))
    }
}
