// A bounding box between two parallels and two meridians; it may cross the 180th meridian.
import Glibc

/// The box includes its edges. If `west` is greater than `east`, it extends eastward from `west` across the 180th
/// meridian to `east` (B40).
package struct GeoBox: Sendable, Hashable {
    package let west, south, east, north: Double

    package init?(west: Double, south: Double, east: Double, north: Double) {
        guard let low = GeoPoint(lat: south, lon: west), let high = GeoPoint(lat: north, lon: east), low.lat <= high.lat
        else { return nil }
        self.west = west
        self.south = south
        self.east = east
        self.north = north
    }

    package var crossesAntimeridian: Bool { west > east }

    /// Whether one of its edges is the 180th meridian, written as 180 or -180.
    package var touchesAntimeridian: Bool { abs(west) == 180 || abs(east) == 180 }

    /// The width in degrees of longitude.
    package var width: Double { crossesAntimeridian ? 360 - (west - east) : east - west }

    package var center: GeoPoint? {
        var lon = west + width / 2
        if lon > 180 { lon -= 360 }
        return GeoPoint(lat: (south + north) / 2, lon: lon)
    }

    /// 180 and -180 degrees are the same meridian.
    package func contains(_ point: GeoPoint) -> Bool {
        guard (south...north).contains(point.lat) else { return false }
        if crossesAntimeridian { return point.lon >= west || point.lon <= east }
        return (west...east).contains(point.lon) || abs(point.lon) == 180 && touchesAntimeridian
    }

    /// The smallest box that contains all points; nil without points.
    package static func around(_ points: [GeoPoint]) -> GeoBox? {
        guard let south = points.map(\.lat).min(), let north = points.map(\.lat).max() else { return nil }
        let meridians = points.map(\.lon).sorted()
        // The box leaves out the widest gap between neighbors, including the one across the 180th meridian.
        var (west, east) = (meridians[0], meridians[meridians.count - 1])
        var widest = 360 - (east - west)
        for (left, right) in zip(meridians, meridians.dropFirst()) where right - left > widest {
            (west, east, widest) = (right, left, right - left)
        }
        return GeoBox(west: west, south: south, east: east, north: north)
    }

    /// The smallest box that contains all points and is at least (>=) this wide and high; nil without points. A box that
    /// reaches a pole contains all meridians, which meet there.
    package static func around(_ points: [GeoPoint], atLeast meters: Double) -> GeoBox? {
        guard let box = around(points) else { return nil }
        let degrees = meters / GeoVector.earthRadius * 180 / .pi
        let margin = max(0, (degrees - (box.north - box.south)) / 2)
        let (low, high) = (box.south - margin, box.north + margin)
        let south = max(-90, low - max(0, high - 90))
        let north = min(90, high + max(0, -90 - low))
        // Meridians are closest to each other at the parallel nearest to a pole.
        let narrowest = cos(max(abs(south), abs(north)) * .pi / 180)
        let reachesPole = south == -90 || north == 90
        let width = reachesPole || narrowest * 360 <= degrees ? 360 : max(box.width, degrees / narrowest)
        if width >= 360 { return GeoBox(west: -180, south: south, east: 180, north: north) }
        let side = (width - box.width) / 2
        let west = box.west - side < -180 ? box.west - side + 360 : box.west - side
        let east = box.east + side > 180 ? box.east + side - 360 : box.east + side
        return GeoBox(west: west, south: south, east: east, north: north)
    }

    /// Two corners of a cube in space that contains every point of the box. An index narrows the search with it;
    /// `contains` makes the final decision.
    package var cube: (low: GeoVector, high: GeoVector) {
        let parallels = [south, north] + (south...north ~= 0 ? [0] : [])
        let start = (west / 90).rounded(.up) * 90
        let meridians = [west, west + width] + stride(from: start, through: west + width, by: 90)
        var points: [GeoVector] = []
        for lat in parallels {
            for lon in meridians {
                let (phi, lambda) = (lat * .pi / 180, lon * .pi / 180)
                points.append(GeoVector(x: cos(phi) * cos(lambda), y: cos(phi) * sin(lambda), z: sin(phi)))
            }
        }
        // Rounding must not exclude points on an edge.
        let slack = 1e-9
        func span(_ axis: KeyPath<GeoVector, Double>) -> (Double, Double) {
            let values = points.map { $0[keyPath: axis] }
            return ((values.min() ?? -1) - slack, (values.max() ?? 1) + slack)
        }
        let (x, y, z) = (span(\.x), span(\.y), span(\.z))
        return (GeoVector(x: x.0, y: y.0, z: z.0), GeoVector(x: x.1, y: y.1, z: z.1))
    }
}
