// The path of a route: its points, length, net elevation and samples.
import Localization

package struct RoutePath: Sendable, Hashable {
    /// The number of points of a path; the maximum takes about 600 KB in a revision.
    package static let pointLimits = 2...20_000
    /// The maximum length in meters.
    package static let maxLength = 1_000_000.0
    package static let metersInMile = 1609.344

    package let points: [RoutePoint]
    /// The distance of each point along the path, in meters; the first is 0.
    package let distances: [Double]

    /// Throws for too few or too many points, and for a path without length or beyond the maximum.
    package init(points: [RoutePoint]) throws(PathProblem) {
        guard points.count >= Self.pointLimits.lowerBound else { throw .fewPoints(points.count) }
        guard points.count <= Self.pointLimits.upperBound else { throw .manyPoints(points.count) }
        var distances = [0.0]
        distances.reserveCapacity(points.count)
        for (from, to) in zip(points, points.dropFirst()) {
            distances.append((distances.last ?? 0) + from.meters(to: to))
        }
        let length = distances.last ?? 0
        guard length > 0 else { throw .noLength }
        guard length <= Self.maxLength else { throw .tooLong(length) }
        self.points = points
        self.distances = distances
    }

    /// The length in meters over a sphere.
    package var length: Double { distances.last ?? 0 }

    /// The elevation of the last point minus that of the first: 0 for a loop, negative for a descent. Nil if either is
    /// unknown.
    package var netElevation: Double? {
        guard let start = points.first?.elevation, let end = points.last?.elevation else { return nil }
        // Both have two decimals, so the difference has too.
        return ((end - start) * 100).rounded() / 100
    }

    /// A sample point of the path.
    package struct Sample: Sendable, Equatable {
        package let distance: Double
        package let latitude: Double
        package let longitude: Double
    }

    /// The points at 0, `spacing`, 2 × `spacing` … meters before the end, and the end itself. A path whose length is an
    /// exact multiple has its end only once; a path shorter than `spacing` has start and end.
    package func samples(every spacing: Double) -> [Sample] {
        var samples: [Sample] = []
        var next = 1
        var count = 0.0
        while count * spacing < length {
            let distance = count * spacing
            while distances[next] < distance { next += 1 }
            samples.append(sample(at: distance, before: next))
            count += 1
        }
        if let last = points.last {
            samples.append(Sample(distance: length, latitude: last.latitude, longitude: last.longitude))
        }
        return samples
    }

    /// Interpolates between the points `next - 1` and `next`.
    private func sample(at distance: Double, before next: Int) -> Sample {
        let (from, to) = (points[next - 1], points[next])
        let step = distances[next] - distances[next - 1]
        let share = step > 0 ? (distance - distances[next - 1]) / step : 0
        return Sample(
            distance: distance, latitude: from.latitude + (to.latitude - from.latitude) * share,
            longitude: from.longitude + (to.longitude - from.longitude) * share)
    }
}

/// Why points are not a valid path.
package enum PathProblem: Error, Sendable, Equatable {
    case format(line: Int)
    case fewPoints(Int)
    case manyPoints(Int)
    case noLength
    case tooLong(Double)

    package var message: String {
        let limits = RoutePath.pointLimits
        return switch self {
        case .format(let line):
            tr("Point \(line): enter latitude, longitude and elevation, such as 51.50415 -0.15312 23.")
        case .fewPoints(let count): tr("\(count) points; at least \(limits.lowerBound) are required.")
        case .manyPoints(let count):
            tr("\(count) points; at most \(limits.upperBound) are allowed. Simplify the path and try again.")
        case .noLength: tr("All points are at the same position.")
        case .tooLong(let length):
            tr("The path is \(Int(length / 1000)) km long; at most \(Int(RoutePath.maxLength / 1000)) km are allowed.")
        }
    }
}
