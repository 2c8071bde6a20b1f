// A position on the ground, and the distance to another one.
import Glibc

/// Degrees: latitude from -90 to 90, longitude from -180 to 180; nothing else is one.
package struct GeoPoint: Sendable, Hashable {
    package let lat: Double
    package let lon: Double

    package init?(lat: Double, lon: Double) {
        guard (-90...90).contains(lat), (-180...180).contains(lon) else { return nil }
        self.lat = lat
        self.lon = lon
    }

    /// Reads `{"lat", "lon"}` as a field of type point holds it.
    package init?(_ value: JSONValue?) {
        guard let lat = value?["lat"]?.doubleValue, let lon = value?["lon"]?.doubleValue else { return nil }
        self.init(lat: lat, lon: lon)
    }

    /// The same place as a point on the unit sphere, as the read tables hold it.
    package var vector: GeoVector {
        let (phi, lambda) = (lat * .pi / 180, lon * .pi / 180)
        return GeoVector(x: cos(phi) * cos(lambda), y: cos(phi) * sin(lambda), z: sin(phi))
    }
}

/// A point on (or, between positions, within) the unit sphere. Straight chords between such points sort as distances on
/// the ground do.
package struct GeoVector: Sendable, Hashable {
    package let x, y, z: Double

    package init(x: Double, y: Double, z: Double) {
        self.x = x
        self.y = y
        self.z = z
    }

    /// Meters of the mean radius of the earth.
    package static let earthRadius = 6_371_008.8

    /// The great-circle distance in meters that belongs to a chord of the unit sphere.
    package static func metres(ofChord chord: Double) -> Double {
        2 * earthRadius * asin(min(1, chord / 2))
    }
}
