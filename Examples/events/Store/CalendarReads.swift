// Reads the calendar: coming events by start, and one event.
import Domain
import Postgres
import Store

struct CalendarReads: Sendable {
    let connection: StoreConnection

    private static let now: SQL = "(extract(epoch from now()) * 1000000)::bigint"

    /// The events that have not started, soonest first.
    func page(cursor: String?) async throws -> DocumentPage {
        var statement: SQL = "select document, starts, id from api_v1.calendar_event where starts > \(Self.now)"
        if let cursor {
            let position = try Cursor(parsing: cursor, count: 2)
            statement += " and (starts, id) > (\(try position.integer(0))::bigint, \(try position.uuid(1))::uuid)"
        }
        statement += " order by starts, id limit \(fixed: DocumentPage.size + 1)"
        return try DocumentPage(try await connection.rows(statement), cursor: ["starts", "id"])
    }

    func find(_ idOrSlug: IDOrSlug) async throws -> [UInt8]? {
        let statement: SQL =
            switch idOrSlug {
            case .id(let id): "select document from api_v1.calendar_event where id = \(id)"
            case .slug(let slug): "select document from api_v1.calendar_event where slug = \(slug)"
            }
        return try await connection.first(statement) { try $0.bytes("document") }
    }

    /// The last start, in microseconds since 1970 (0: no event has started), and the seconds until the next.
    func boundaries() async throws -> (last: Int64, wait: Double?) {
        let found = try await connection.first(
            """
            select coalesce(max(starts) filter (where starts <= \(Self.now)), 0) as last,
                ((min(starts) filter (where starts > \(Self.now)) - \(Self.now)) / 1e6)::double precision as wait
            from api_v1.calendar_event
            """
        ) { (last: try $0("last") as Int64, wait: try $0("wait") as Double?) }
        return found ?? (0, nil)
    }
}

extension ReadStores {
    var calendar: CalendarReads { CalendarReads(connection: connection) }
}
