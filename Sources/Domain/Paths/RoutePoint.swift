// Coordinates on the earth with an optional elevation.
import Glibc

package struct RoutePoint: Sendable, Hashable {
    /// Degrees, rounded to 5 decimals (about a meter).
    package let latitude: Double
    package let longitude: Double
    /// Meters above sea level, rounded to 2 decimals.
    package let elevation: Double?

    /// Nil unless latitude is in -90...90, longitude in -180...180 and elevation in -500...9000.
    package init?(latitude: Double, longitude: Double, elevation: Double? = nil) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
        if let elevation, !(-500...9000).contains(elevation) { return nil }
        self.latitude = (latitude * 100_000).rounded() / 100_000
        self.longitude = (longitude * 100_000).rounded() / 100_000
        self.elevation = elevation.map { ($0 * 100).rounded() / 100 }
    }

    /// The mean radius of the earth in meters (IUGG); `projection.meters` in the database uses the same.
    package static let earthRadius = 6_371_008.8

    /// The distance in meters over a sphere, by the haversine formula; ignores elevation.
    package func meters(to other: RoutePoint) -> Double {
        Self.meters(latitude, longitude, other.latitude, other.longitude)
    }

    package static func meters(_ lat1: Double, _ lon1: Double, _ lat2: Double, _ lon2: Double) -> Double {
        let radians = Double.pi / 180
        let north = sin((lat2 - lat1) * radians / 2)
        let east = sin((lon2 - lon1) * radians / 2)
        let chord = north * north + cos(lat1 * radians) * cos(lat2 * radians) * east * east
        return 2 * earthRadius * asin(min(1, chord.squareRoot()))
    }
}
