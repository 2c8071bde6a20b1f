// Converts eastings and northings of the British national grid (OSGB36) to latitude and longitude (WGS84).
import Domain
import Glibc

/// Follows the Ordnance Survey's "A guide to coordinate systems in Great Britain": the inverse transverse Mercator
/// projection, then a Helmert transformation. Accurate to about five meters.
package enum OSGrid {
    /// Degrees; nil outside the grid.
    package static func coordinates(easting: Double, northing: Double) -> (latitude: Double, longitude: Double)? {
        guard (0...800_000).contains(easting), (0...1_400_000).contains(northing) else { return nil }
        let (latitude, longitude) = airy(easting, northing)
        return wgs84(latitude, longitude)
    }

    /// Coordinates on the Airy ellipsoid, in radians.
    private static func airy(_ easting: Double, _ northing: Double) -> (Double, Double) {
        let a = 6_377_563.396
        let b = 6_356_256.909
        let scale = 0.9996012717
        let latitude0 = 49 * Double.pi / 180
        let longitude0 = -2 * Double.pi / 180
        let e2 = 1 - (b * b) / (a * a)
        let n = (a - b) / (a + b)
        var latitude = latitude0
        var arc = 0.0
        repeat {
            latitude += (northing + 100_000 - arc) / (a * scale)
            arc = meridian(latitude, from: latitude0, n, b * scale)
        } while abs(northing + 100_000 - arc) >= 0.00001
        let root = (1 - e2 * sin(latitude) * sin(latitude)).squareRoot()
        let nu = a * scale / root
        let rho = a * scale * (1 - e2) / (root * root * root)
        let eta2 = nu / rho - 1
        let t = tan(latitude)
        let t2 = t * t
        let secant = 1 / cos(latitude)
        let x = easting - 400_000
        let nu2 = nu * nu
        let vii = t / (2 * rho * nu)
        let viii = t / (24 * rho * nu2 * nu) * (5 + 3 * t2 + eta2 - 9 * t2 * eta2)
        let ix = t / (720 * rho * nu2 * nu2 * nu) * (61 + 90 * t2 + 45 * t2 * t2)
        let xs = secant / nu
        let xi = secant / (6 * nu2 * nu) * (nu / rho + 2 * t2)
        let xii = secant / (120 * nu2 * nu2 * nu) * (5 + 28 * t2 + 24 * t2 * t2)
        let xiia = secant / (5040 * nu2 * nu2 * nu2 * nu) * (61 + 662 * t2 + 1320 * t2 * t2 + 720 * t2 * t2 * t2)
        let x2 = x * x
        return (
            latitude - vii * x2 + viii * x2 * x2 - ix * x2 * x2 * x2,
            longitude0 + x * (xs - x2 * (xi - x2 * (xii - x2 * xiia)))
        )
    }

    /// The distance along the meridian, in meters.
    private static func meridian(_ latitude: Double, from start: Double, _ n: Double, _ b: Double) -> Double {
        let difference = latitude - start
        let sum = latitude + start
        let n2 = n * n
        let n3 = n2 * n
        let first = (1 + n + 1.25 * n2 + 1.25 * n3) * difference
        let second = (3 * n + 3 * n2 + 2.625 * n3) * sin(difference) * cos(sum)
        let third = (1.875 * n2 + 1.875 * n3) * sin(2 * difference) * cos(2 * sum)
        let fourth = 35.0 / 24 * n3 * sin(3 * difference) * cos(3 * sum)
        return b * (first - second + third - fourth)
    }

    /// Converts between the ellipsoids through geocentric coordinates, at height 0.
    private static func wgs84(_ latitude: Double, _ longitude: Double) -> (latitude: Double, longitude: Double) {
        let (a1, b1) = (6_377_563.396, 6_356_256.909)
        let e1 = 1 - (b1 * b1) / (a1 * a1)
        let nu1 = a1 / (1 - e1 * sin(latitude) * sin(latitude)).squareRoot()
        let x = nu1 * cos(latitude) * cos(longitude)
        let y = nu1 * cos(latitude) * sin(longitude)
        let z = nu1 * (1 - e1) * sin(latitude)
        let second = Double.pi / 180 / 3600
        let (rx, ry, rz) = (0.1502 * second, 0.2470 * second, 0.8421 * second)
        let scale = 1 - 20.4894e-6
        let x2 = 446.448 + x * scale - y * rz + z * ry
        let y2 = -125.157 + x * rz + y * scale - z * rx
        let z2 = 542.060 - x * ry + y * rx + z * scale
        let (a2, b2) = (6_378_137.0, 6_356_752.3141)
        let e2 = 1 - (b2 * b2) / (a2 * a2)
        let p = (x2 * x2 + y2 * y2).squareRoot()
        var found = atan2(z2, p * (1 - e2))
        for _ in 0..<10 {
            let nu2 = a2 / (1 - e2 * sin(found) * sin(found)).squareRoot()
            found = atan2(z2 + e2 * nu2 * sin(found), p)
        }
        let degree = 180 / Double.pi
        return (found * degree, atan2(y2, x2) * degree)
    }
}
