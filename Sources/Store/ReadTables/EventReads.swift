// Reads the events that an app may send push notifications about, in order.
import Domain
import Postgres

/// One page of events.
package struct EventPage: Sendable {
    /// Whether the position is part of this history; if not, the page is empty.
    package let history: HistoryStatus
    package let events: DocumentPage
    /// Where to continue: the last event of this page, or the given one when there is none.
    package let next: TaggedNumber
}

package struct EventReads: Sendable {
    /// Maximum number of events per page.
    package static let size = 500

    let connection: StoreConnection

    /// The tag of the newest event as a number, 0 before the first: it changes with every event, also when time causes
    /// one between publications.
    package func newestTag() async throws -> Int64 {
        let tag = try await connection.first("select tag from api_v1.event order by number desc limit 1") {
            try $0("tag") as String
        }
        return tag.flatMap { Int64($0, radix: 16) } ?? 0
    }

    /// The events with a greater number.
    package func page(since last: TaggedNumber) async throws -> EventPage {
        let rows = try await connection.rows(
            """
            select n.history, e.document, e.number, e.tag
            from (select \(PublicationReads.history(ofEvent: last)) as history) n
            left join lateral (
                select document, number, tag from api_v1.event
                where number > \(last.number)::bigint and n.history = 'held'
                order by number limit \(fixed: Self.size)) e on true
            order by e.number
            """)
        guard let first = rows.first else { throw Failure.missing("event") }
        let found = try rows.filter { try $0("number") as Int64? != nil }
        return EventPage(
            history: HistoryStatus(rawValue: try first("history")) ?? .changed,
            events: try DocumentPage(whole: found),
            next: try found.last.map { TaggedNumber(number: try $0("number"), tag: try $0("tag")) } ?? last)
    }
}
