// The actions of routes and observations.
import Operations

extension Services {
    package var importObservations: ImportObservations { ImportObservations(database: database) }
    package var deleteObservations: DeleteObservations { DeleteObservations(database: database) }
    package var importPostcodes: ImportPostcodes { ImportPostcodes(database: database) }
    package var simulateRouteSettings: SimulateRouteSettings { SimulateRouteSettings(database: database) }
}
