// The queue, for a review tool.
import Domain
import HTTP
import Operations
import Platform
import Store

enum QueueEndpoints {
    private static let pageSize = 20

    /// `GET /v1/queue`: submissions awaiting review.
    static func list(_ call: APICall) async throws -> Response {
        let services = try call.services()
        var filter = QueueFilter()
        filter.type = try call.query["type"].map { try services.content.type(named: $0, pointer: "/query/type").name }
        filter.category = call.query["category"]
        filter.priority = call.query["priority"].flatMap { Priority(name: $0) }
        if let q = call.query["q"] {
            let found = try await ReadSubmissionSearch.resolve(q, services.content.types, services.database)
            try found.apply(to: &filter, overdueAfter: services.reviewPolicy.targetHours, at: "/query/q")
        }
        let order = call.query["sort"].flatMap(QueueOrder.init) ?? .oldest
        let binding = BoundCursor(call.request, scope: .guest)
        let cursor = try call.query["cursor"].map { try binding.cursor(from: $0) }
        let page = try await services.database.queue.page(
            filter, order: order, cursor: cursor, limit: pageSize)
        let next = page.next.map { binding.text(of: $0) }
        let document: [String: JSONValue] = [
            "data": .array(page.items.map(line)), "next": next.map(JSONValue.string) ?? .null,
        ]
        let body = JSONValue.object(document).canonicalText
        var response = Response(call.request, call.site.headers.unkept, body: Array(body.utf8))
        if let next {
            response.headers.append("Link", "<\(PathText.next(of: call.request, cursor: next))>; rel=\"next\"")
        }
        return response
    }

    /// Null until the external classifier has answered.
    private static func classifier(_ row: ClassificationRow?) -> JSONValue {
        guard let row, let response = row.response else { return .null }
        return .object([
            "score": .int(Int64(response.score)), "reasons": .array(response.reasons.map(JSONValue.string)),
            "name": response.name.map(JSONValue.string) ?? .null,
            "version": response.version.map(JSONValue.string) ?? .null,
            "responded_at": row.respondedAt.map { .string(InstantText.text($0)) } ?? .null,
        ])
    }

    private static func line(_ row: QueueRow) -> JSONValue {
        .object([
            "id": .string(row.id.description), "type": .string(row.type), "title": .string(row.title),
            "client": .string(row.clientName), "category": row.requestedCategory.map(JSONValue.string) ?? .null,
            "received_at": .string(InstantText.text(row.receivedAt)),
            "claimed_by": row.claimedBy.map(JSONValue.string) ?? .null, "priority": .string(row.priority.name),
            "score": row.screening.map { .int(Int64($0.score)) } ?? .null,
            "risk": row.screening.map { .string($0.level.rawValue) } ?? .null,
            "reasons": .array((row.screening?.reasons ?? []).map { .string($0.message) }),
            "classifier": classifier(row.classification),
            "assigned_to": (row.assignedTo ?? row.assignedRole?.name).map(JSONValue.string) ?? .null,
        ])
    }
}
