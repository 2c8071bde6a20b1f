// Coordinates on the earth, and distances between them.
import Glibc

/// Degrees: latitude from -90 to 90, longitude from -180 to 180, both inclusive.
package struct GeoPoint: Sendable, Hashable {
    package let lat: Double
    package let lon: Double

    package init?(lat: Double, lon: Double) {
        guard (-90...90).contains(lat), (-180...180).contains(lon) else { return nil }
        self.lat = lat
        self.lon = lon
    }

    /// Reads `{"lat", "lon"}`, the value of a `point` field.
    package init?(_ value: JSONValue?) {
        guard let lat = value?["lat"]?.doubleValue, let lon = value?["lon"]?.doubleValue else { return nil }
        self.init(lat: lat, lon: lon)
    }

    /// The coordinates as a point on the unit sphere, as the read tables store them.
    package var vector: GeoVector {
        let (phi, lambda) = (lat * .pi / 180, lon * .pi / 180)
        return GeoVector(x: cos(phi) * cos(lambda), y: cos(phi) * sin(lambda), z: sin(phi))
    }
}

/// A point on the unit sphere, or inside it between two positions. Chords between such points sort like distances on
/// the ground.
package struct GeoVector: Sendable, Hashable {
    package let x, y, z: Double

    package init(x: Double, y: Double, z: Double) {
        self.x = x
        self.y = y
        self.z = z
    }

    /// The mean radius of the earth in meters.
    package static let earthRadius = 6_371_008.8

    /// The great-circle distance in meters for a chord of the unit sphere.
    package static func meters(ofChord chord: Double) -> Double {
        2 * earthRadius * asin(min(1, chord / 2))
    }
}
