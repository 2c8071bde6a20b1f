// How a track or route of a GPX file is recognized when the file is imported again, wherever it is in the file by then.
import Domain
import Markup
import Operations

/// The track of a file with one is recognized by the name of the file, so that it can be renamed; several tracks by their
/// names, too. Where these are missing or occur twice, links, descriptions and at last points are added.
struct TrackIdentity: Sendable {
    /// A source that the track has if other tracks were in the file when it was imported.
    struct Other: Sendable {
        let source: String
        /// Whether another track may have it, so that only a route with the same path is this one.
        let needsSamePath: Bool
    }

    /// The longest value of the field `source`.
    static let limit = 500

    let file: String
    let source: String
    let others: [Other]

    /// Of a file that can't be read.
    init(file: String) {
        self.init(file: file, source: file, others: [])
    }

    private init(file: String, source: String, others: [Other]) {
        self.file = file
        self.source = Self.bounded(source)
        self.others = others
    }

    /// The identities of the tracks and routes of a file, in their order.
    static func all(of lines: [GPXDocument.Line], in file: String) -> [TrackIdentity] {
        let all = lines.map { keys(of: $0) }
        // How often each key occurs, by its number of parts.
        let counts = (0..<4).map { parts in
            Dictionary(all.map { ($0[parts], 1) }, uniquingKeysWith: +)
        }
        return all.map { keys in
            let distinct = (0..<4).filter { !keys[$0].isEmpty && !keys[..<$0].contains(keys[$0]) }
            let sources = keys.map { bounded("\(file)#\($0)") }
            if lines.count == 1 {
                let others = distinct.map { Other(source: sources[$0], needsSamePath: false) }
                return TrackIdentity(file: file, source: file, others: others)
            }
            let chosen = distinct.first { counts[$0][keys[$0]] == 1 } ?? 3
            let others = distinct.filter { $0 != chosen }.map { Other(source: sources[$0], needsSamePath: $0 < chosen) }
            return TrackIdentity(
                file: file, source: sources[chosen],
                others: others + [Other(source: bounded(file), needsSamePath: true)])
        }
    }

    /// What identifies a track, with one to four parts; without a name, link or description the first ones are empty.
    private static func keys(of line: GPXDocument.Line) -> [String] {
        let texts = [(line.name, 80), (line.link, 120), (line.summary, 60)].map { text, length in
            String(PlainText.singleLine(text).prefix(length))
        }
        let points = line.points.map { "\($0.latitude),\($0.longitude)" }.joined(separator: " ")
        let parts = texts + [BoundedIdentity.digest(points)]
        return (1...4).map { count in parts.prefix(count).filter { !$0.isEmpty }.joined(separator: " ") }
    }

    private static func bounded(_ source: String) -> String { BoundedIdentity.text(source, atMost: limit) }
}
