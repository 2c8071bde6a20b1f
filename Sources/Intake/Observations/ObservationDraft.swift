// One fact as a file says it, before it is recorded.
import Domain
import Store

package struct ObservationDraft: Sendable {
    enum Place: Sendable {
        case at(name: String, latitude: Double, longitude: Double)
        case postcode(String)
    }

    /// Of the file, from 1; for JSON, of the rows.
    let line: Int
    let place: Place
    let measure: String
    let period: ObservationPeriod
    let value: Double
}

/// Why a row was not taken.
package struct ObservationRefusal: Error, Sendable, Encodable {
    package let line: Int
    package let reason: String
}
