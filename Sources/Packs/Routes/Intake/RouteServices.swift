// The actions of routes and observations.
import Domain
import Operations

extension Services {
    package var importObservations: ImportObservations {
        ImportObservations(database: database, publish: publishObservations)
    }
    package var deleteObservations: DeleteObservations {
        DeleteObservations(database: database, publish: publishObservations)
    }
    package var importPostcodes: ImportPostcodes {
        ImportPostcodes(database: database, publish: publishObservations)
    }
    package var simulateRouteSettings: SimulateRouteSettings { SimulateRouteSettings(database: database) }

    /// `city` and `publishTiming` apply to every new route; nil means no city.
    package func importRoutes(city: String?, publishTiming: PublishTiming) -> ImportRoutes {
        ImportRoutes(database: database, writeEntry: writeEntry, city: city, publishTiming: publishTiming)
    }

    private var publishObservations: PublishObservations { PublishObservations(database: database) }
}
