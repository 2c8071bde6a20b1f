// The line of a route as two small drawings: where it goes, and how high.
import Domain

/// The numbers of two SVG drawings, worked out here so that the page needs no script.
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

    /// Points of a polyline in a square of 320.
    let line: String
    let start: Dot
    let end: Dot
    let samples: [Dot]
    /// Nil where not every point has an elevation.
    let profile: Profile?
    let length: String

    private static let side = 320.0
    private static let margin = 12.0
    /// More corners than this are not seen in so small a drawing.
    private static let corners = 600

    init(_ path: RoutePath, every spacing: Double) {
        let map = Map(path.points)
        let step = max(1, path.points.count / Self.corners)
        let shown = path.points.enumerated().filter { $0.offset % step == 0 || $0.offset == path.points.count - 1 }
        line = shown.map { map.place($0.element.latitude, $0.element.longitude) }
            .map { "\($0.x),\($0.y)" }.joined(separator: " ")
        func dot(_ latitude: Double, _ longitude: Double, _ label: String) -> Dot {
            let place = map.place(latitude, longitude)
            return Dot(x: place.x, y: place.y, label: label)
        }
        let (first, last) = (path.points[0], path.points[path.points.count - 1])
        start = dot(first.latitude, first.longitude, "Start")
        end = dot(last.latitude, last.longitude, "End")
        samples = path.samples(every: spacing).enumerated().map { number, sample in
            dot(
                sample.latitude, sample.longitude, "Sample \(number + 1), \(DistanceText.length(sample.distance))")
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

    /// Degrees to places in the square, north up; a degree of longitude is as wide as it is at the route's middle.
    private struct Map {
        private let north: Double
        private let west: Double
        private let scale: Double
        private let narrowing: Double

        init(_ points: [RoutePoint]) {
            let latitudes = points.map(\.latitude)
            let longitudes = points.map(\.longitude)
            let (south, north) = (latitudes.min() ?? 0, latitudes.max() ?? 0)
            let (west, east) = (longitudes.min() ?? 0, longitudes.max() ?? 0)
            narrowing = max(
                RoutePoint.metres((south + north) / 2, 0, (south + north) / 2, 1) / RoutePoint.metres(0, 0, 1, 0), 0.01)
            self.north = north
            self.west = west
            scale = (side - 2 * margin) / max(north - south, (east - west) * narrowing, 0.00001)
        }

        func place(_ latitude: Double, _ longitude: Double) -> (x: String, y: String) {
            (
                DistanceText.decimals(margin + (longitude - west) * narrowing * scale, 1),
                DistanceText.decimals(margin + (north - latitude) * scale, 1)
            )
        }
    }
}
