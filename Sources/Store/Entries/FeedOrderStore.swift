// The items of a feed as curators order them.
import Domain
import Postgres

package struct FeedOrderStore: Sendable {
    let connection: StoreConnection

    /// All items of a live feed by date, as readers see them without any other order; the cost grows with their number.
    package func byDate(in feed: ID<Entry>) async throws -> [ID<Entry>] {
        try await connection.rows(
            "select f.item_id from api_v1.feed_item f where f.feed_id = \(feed) order by f.age, f.item_id"
        ) { try $0("item_id") }
    }
}
