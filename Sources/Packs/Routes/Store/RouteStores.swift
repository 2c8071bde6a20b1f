// Names each store of routes once, for reading and for writing.
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
