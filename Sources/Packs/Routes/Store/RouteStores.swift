// Names each store of routes once, for reading and for writing, and when its task has something to do.
import Domain
import Postgres
import Store

extension Stores {
    package var observations: ObservationStore { ObservationStore(connection: connection) }
    package var routes: RouteStore { RouteStore(connection: connection) }
}

extension ReadStores {
    package var routes: RouteReads { RouteReads(connection: connection) }
}

extension BadgeResult: PostgresEncodable, PostgresDecodable {}

extension TaskCondition {
    static let pendingObservations = TaskCondition("curation.has_pending_observations()")
}
