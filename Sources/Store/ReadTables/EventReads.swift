// Reads the events that an app may send push notifications about, in order.
import Domain
import Postgres

package struct EventReads: Sendable {
    /// Maximum number of events per page.
    package static let size = 500

    let connection: StoreConnection

    /// The events with a greater number, and the number to continue from.
    package func page(since number: Int64) async throws -> (page: DocumentPage, next: Int64) {
        let rows = try await connection.rows(
            """
            select document, number from api_v1.event where number > \(number)::bigint
            order by number limit \(fixed: Self.size)
            """)
        return (try DocumentPage(whole: rows), try rows.last.map { try $0("number") } ?? number)
    }
}
