// Names each store of places once, for reading and for writing, and when its task has something to do.
import Domain
import Postgres
import Store

extension Stores {
    var promotions: PromotionStore { PromotionStore(connection: connection) }
}

extension ReadStores {
    var cities: CityReads { CityReads(connection: connection) }
    var places: PlaceReads { PlaceReads(connection: connection) }
    var reviews: ReviewReads { ReviewReads(connection: connection) }
    var promotions: PromotionReads { PromotionReads(connection: connection) }
}

extension TaskCondition {
    static let startedPromotions = TaskCondition(
        """
        exists (
            select from api_v1.promotion
            where starts_at > (select notified_until from curation.event_cursor) and starts_at <= now())
        """)
}
