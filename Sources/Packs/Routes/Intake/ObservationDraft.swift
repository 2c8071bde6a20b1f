// One observation parsed from a file, before it is recorded.
import Domain
import Operations
import Store

package struct ObservationDraft: Sendable {
    enum Site: Sendable {
        case at(name: String, latitude: Double, longitude: Double)
        /// A site whose coordinates the file does not have.
        case named(String)
        case postcode(String)
    }

    /// The line of the file, from 1; for JSON, the number of the row.
    let line: Int
    let site: Site
    let measure: String
    let period: ObservationPeriod
    let value: Double
    /// The city that the row names; nil if it names none.
    var city: String?
}

/// Why a row was refused.
package struct ObservationRefusal: Error, Sendable, Encodable {
    package let line: Int
    package let reason: String
}
