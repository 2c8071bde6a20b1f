// Draws a route's path on a map and its elevation profile.
import Admin
import Domain
import Localization

/// The coordinates of two SVG drawings, computed on the server so that the page needs no script.
struct RouteDrawing: Encodable, Sendable {
    struct Dot: Encodable, Sendable {
        let x: String
        let y: String
        let label: String
    }

    struct Profile: Encodable, Sendable {
        let line: String
        let lowest: String
        let highest: String
    }

    /// The points of a polyline in a 320 × 320 square.
    let line: String
    let start: Dot
    let end: Dot
    let samples: [Dot]
    /// Nil when a point has no elevation.
    let profile: Profile?
    let length: String

    private static let side = 320.0
    private static let margin = 12.0
    /// More points are not visible in such a small drawing.
    private static let maxPoints = 600

    init(_ path: RoutePath, every spacing: Double) {
        let map = Map(path.points)
        let step = max(1, path.points.count / Self.maxPoints)
        let shown = path.points.enumerated().filter { $0.offset % step == 0 || $0.offset == path.points.count - 1 }
        line = shown.map { map.point($0.element.latitude, $0.element.longitude) }
            .map { "\($0.x),\($0.y)" }.joined(separator: " ")
        func dot(_ latitude: Double, _ longitude: Double, _ label: String) -> Dot {
            let point = map.point(latitude, longitude)
            return Dot(x: point.x, y: point.y, label: label)
        }
        let (first, last) = (path.points[0], path.points[path.points.count - 1])
        start = dot(first.latitude, first.longitude, tr("Start", context: "profile"))
        end = dot(last.latitude, last.longitude, tr("End", context: "profile"))
        samples = path.samples(every: spacing).enumerated().map { number, sample in
            dot(
                sample.latitude, sample.longitude,
                tr("Sample \(number + 1), \(DistanceText.length(sample.distance))", context: "profile"))
        }
        length = DistanceText.length(path.length)
        profile = Self.profile(path, shown: shown.map(\.offset))
    }

    private static func profile(_ path: RoutePath, shown: [Int]) -> Profile? {
        let heights = path.points.compactMap(\.elevation)
        guard heights.count == path.points.count, let low = heights.min(), let high = heights.max() else { return nil }
        let span = max(high - low, 1)
        let line = shown.map { index in
            let x = path.distances[index] / path.length * 640
            let y = 108 - (heights[index] - low) / span * 96
            return "\(DistanceText.decimals(x, 1)),\(DistanceText.decimals(y, 1))"
        }.joined(separator: " ")
        return Profile(
            line: line, lowest: DistanceText.decimals(low, 1) + " m", highest: DistanceText.decimals(high, 1) + " m")
    }

    /// Projects degrees into the square, north up; longitude is scaled for the route's middle latitude.
    private struct Map {
        private let north: Double
        private let west: Double
        private let scale: Double
        private let longitudeScale: Double

        init(_ points: [RoutePoint]) {
            let latitudes = points.map(\.latitude)
            let longitudes = points.map(\.longitude)
            let (south, north) = (latitudes.min() ?? 0, latitudes.max() ?? 0)
            let (west, east) = (longitudes.min() ?? 0, longitudes.max() ?? 0)
            longitudeScale = max(
                RoutePoint.meters((south + north) / 2, 0, (south + north) / 2, 1) / RoutePoint.meters(0, 0, 1, 0), 0.01)
            self.north = north
            self.west = west
            scale = (side - 2 * margin) / max(north - south, (east - west) * longitudeScale, 0.00001)
        }

        func point(_ latitude: Double, _ longitude: Double) -> (x: String, y: String) {
            (
                DistanceText.decimals(margin + (longitude - west) * longitudeScale * scale, 1),
                DistanceText.decimals(margin + (north - latitude) * scale, 1)
            )
        }
    }
}
