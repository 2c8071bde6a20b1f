// The calendar in the API.
import API
import Domain
import Store

enum CalendarEndpoints {
    static let all: [APIEndpoint] = [
        .read(
            "/v1/calendar", .read, .preview, "List coming events, soonest first", query: [.cursor],
            moments: .of("events"), list),
        .read("/v1/calendar/{id_or_slug}", .read, .preview, "Show an event", find),
    ]

    private static func list(_ read: ReadCall) async throws -> ReadResponse {
        .page(try await read.reads.calendar.page(cursor: read.cursor))
    }

    private static func find(_ read: ReadCall) async throws -> ReadResponse {
        if let document = try await read.reads.calendar.find(read.idOrSlug) { return .document(document) }
        return try await .elsewhere("event", read.idOrSlug, in: read.reads, path: "/v1/calendar/", suffix: read.suffix)
    }
}
