// The queue, for a review tool.
import Domain
import HTTP
import Platform
import Store

enum QueueEndpoints {
    private static let pageSize = 20

    /// `GET /v1/queue`: submissions awaiting review.
    static func list(_ call: APICall) async throws -> Response {
        var filter = QueueFilter()
        filter.type = call.query["type"]
        filter.category = call.query["category"]
        filter.query = call.query["q"]
        filter.priority = call.query["priority"].flatMap { Priority(name: $0) }
        let order = call.query["sort"].flatMap(QueueOrder.init) ?? .oldest
        let binding = BoundCursor(call.request, scope: .guest)
        let cursor = try call.query["cursor"].map { try binding.cursor(from: $0) }
        let page = try await call.services().database.queue.page(
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

    private static func line(_ row: QueueRow) -> JSONValue {
        .object([
            "id": .string(row.id.description), "type": .string(row.type), "title": .string(row.title),
            "client": .string(row.source), "category": row.requestedCategory.map(JSONValue.string) ?? .null,
            "received_at": .string(InstantText.text(row.receivedAt)),
            "claimed_by": row.claimedBy.map(JSONValue.string) ?? .null, "priority": .string(row.priority.name),
            "score": row.screening.map { .int(Int64($0.score)) } ?? .null,
            "risk": row.screening.map { .string($0.level.rawValue) } ?? .null,
            "reasons": .array((row.screening?.reasons ?? []).map { .string($0.message) }),
            "assigned_to": (row.assignedTo ?? row.assignedRole?.rawValue).map(JSONValue.string) ?? .null,
        ])
    }
}
