// The line of a route: its points, how long it is, how much higher it ends, and the places where it is sampled.

package struct RoutePath: Sendable, Hashable {
    /// Points that one path may have. At most about 600 KB in a revision.
    package static let pointLimits = 2...20_000
    /// No path is longer: about a million meters.
    package static let longest = 1_000_000.0
    package static let metersInMile = 1609.344

    package let points: [RoutePoint]
    /// How far along the path each point is, in meters; the first is 0.
    package let distances: [Double]

    /// Refuses fewer or more points than allowed, and a path that goes nowhere or too far.
    package init(points: [RoutePoint]) throws(PathProblem) {
        guard points.count >= Self.pointLimits.lowerBound else { throw .fewPoints(points.count) }
        guard points.count <= Self.pointLimits.upperBound else { throw .manyPoints(points.count) }
        var distances = [0.0]
        distances.reserveCapacity(points.count)
        for (from, to) in zip(points, points.dropFirst()) {
            distances.append((distances.last ?? 0) + from.metres(to: to))
        }
        let length = distances.last ?? 0
        guard length > 0 else { throw .noLength }
        guard length <= Self.longest else { throw .tooLong(length) }
        self.points = points
        self.distances = distances
    }

    /// Meters along the points, over a sphere.
    package var length: Double { distances.last ?? 0 }

    /// Elevation of the last point minus that of the first: a loop has 0, a way down less. Nil where either is unknown.
    package var netElevation: Double? {
        guard let start = points.first?.elevation, let end = points.last?.elevation else { return nil }
        // Both have two decimals; the difference has, too.
        return ((end - start) * 100).rounded() / 100
    }

    /// One place where the path is sampled.
    package struct Sample: Sendable, Equatable {
        package let distance: Double
        package let latitude: Double
        package let longitude: Double
    }

    /// The places at 0, `spacing`, 2 × `spacing` … meters that are before the end, and the end itself. A path that is
    /// exactly a multiple long has its end once; one shorter than `spacing` has start and end.
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

    /// Between point `next - 1` and `next`, by the share of the way.
    private func sample(at distance: Double, before next: Int) -> Sample {
        let (from, to) = (points[next - 1], points[next])
        let step = distances[next] - distances[next - 1]
        let share = step > 0 ? (distance - distances[next - 1]) / step : 0
        return Sample(
            distance: distance, latitude: from.latitude + (to.latitude - from.latitude) * share,
            longitude: from.longitude + (to.longitude - from.longitude) * share)
    }
}

/// Why points are no path.
package enum PathProblem: Error, Sendable, Equatable {
    case form(line: Int)
    case fewPoints(Int)
    case manyPoints(Int)
    case noLength
    case tooLong(Double)

    package var message: String {
        let limits = RoutePath.pointLimits
        return switch self {
        case .form(let line):
            "Point \(line) is not latitude, longitude and elevation, such as 51.50415 -0.15312 23."
        case .fewPoints(let count): "\(count) points; a path has at least \(limits.lowerBound)."
        case .manyPoints(let count):
            "\(count) points; at most \(limits.upperBound) are allowed. Thin the path out and try again."
        case .noLength: "All points are at the same place."
        case .tooLong(let length):
            "The path is \(Int(length / 1000)) km long; at most \(Int(RoutePath.longest / 1000)) km are allowed."
        }
    }
}
