// A parsed GPX file: its tracks and routes, each as one line of points.
import Localization

package struct GPXDocument: Sendable {
    package struct Point: Sendable, Equatable {
        package let latitude: Double
        package let longitude: Double
        /// Meters; nil if missing or implausible.
        package let elevation: Double?
    }

    /// A track or a route. Joins the segments of a track, including the gaps between them.
    package struct Line: Sendable {
        package enum Kind: String, Sendable { case track, route }

        package internal(set) var kind: Kind
        package internal(set) var name = ""
        package internal(set) var summary = ""
        /// The URL of the first link; empty without one.
        package internal(set) var link = ""
        package internal(set) var points: [Point] = []
        package internal(set) var segments = 0
    }

    package internal(set) var name = ""
    package internal(set) var lines: [Line] = []
    /// Waypoints outside of lines.
    package internal(set) var waypoints = 0
}

/// Why a file was rejected as GPX.
package struct GPXError: Error, Sendable, Equatable {
    package enum Code: String, Sendable {
        case empty, tooLarge, notGPX, malformed, doctype, number, limit, noLine
    }

    package let code: Code
    /// A sentence for curators.
    package let message: String
    /// The line of the file, from 1, if known.
    package let line: Int?

    package var sentence: String { line.map { tr("Line \($0): \(message)", context: "code") } ?? message }
}

package enum GPXLimits {
    package static let documentBytes = 16 * 1024 * 1024
    package static let points = 200_000
    package static let lines = 200
    /// Bytes; longer names and descriptions are truncated.
    static let textBytes = 4_000
}
