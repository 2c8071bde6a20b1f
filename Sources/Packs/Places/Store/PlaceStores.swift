// Names each store of places once, for reading and for writing.
import Domain
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
