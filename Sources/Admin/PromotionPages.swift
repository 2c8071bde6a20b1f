// The promotions: what is offered when, place by place, as a timeline and a table; overlaps are pointed out.
import Domain
import FoundationEssentials
import HTTP
import Platform
import Store

enum PromotionPages {
    static let routes = [
        AdminEndpoint(method: "GET", pattern: "/promotions", access: .may(.readQueue), handler: list)
    ]

    /// More than this are not planned by looking at a page.
    private static let shown = 300
    /// How many weeks the timeline has.
    private static let weeks = 8

    private struct Line: Encodable, Sendable {
        let id: ID<Entry>
        let title: String
        let place: ID<Entry>
        let placeTitle: String
        let starts: Instant
        let ends: Instant
        let state: String
        let tone: String
        /// Why readers do not see it, if they do not.
        let note: String?
        let overlapping: String?
        /// Where its bar begins and how long it is, of a thousand parts of the timeline.
        let bar: Bar?
    }

    private struct Bar: Encodable, Sendable {
        let x: Int
        let width: Int
        let tone: String
        /// For those who cannot see it.
        let words: String
    }

    /// A Monday, by its place in the timeline.
    private struct Mark: Encodable, Sendable {
        let x: Int
        let day: String
    }

    private struct List: Encodable, Sendable {
        let lines: [Line]
        let marks: [Mark]
        let overlaps: Int?
        let isCut: Bool
        let mayMake: Bool
    }

    private static func list(_ request: AdminRequest) async throws -> Response {
        let now = Date()
        let window = Window(now: now)
        let found = try await request.database.promotions.schedule(from: now, limit: shown + 1)
        let lines = found.prefix(shown).map { line($0, now, window) }
        let overlaps = lines.count { $0.overlapping != nil }
        let model = List(
            lines: lines, marks: window.marks, overlaps: overlaps > 0 ? overlaps : nil, isCut: found.count > shown,
            mayMake: request.actor.may(.edit, on: "promotion"))
        return try request.page("admin/promotions/list", model, title: "Promotions")
    }

    private static func line(_ line: PromotionLine, _ now: Date, _ window: Window) -> Line {
        // Half-open, as readers see it: current from the very start, over at the very end (B44).
        let isCurrent = line.startsAt <= now
        var note: String?
        if !line.isLive {
            note = "not published"
        } else if !line.isPlaceLive {
            note = "its place is not live"
        } else if line.isNewer {
            note = "readers see an earlier version"
        }
        let (starts, ends) = (Instant(line.startsAt, now: now), Instant(line.endsAt, now: now))
        let tone = note != nil ? "wait" : isCurrent ? "ok" : ""
        let bar = window.bar(line.startsAt, line.endsAt).map { x, width in
            Bar(
                x: x, width: width, tone: line.overlapping.isEmpty ? tone : "bad",
                words: "\(starts.text) to \(ends.text)")
        }
        return Line(
            id: line.id, title: EntryPages.shown(line.title), place: line.place,
            placeTitle: EntryPages.shown(line.placeTitle), starts: starts, ends: ends,
            state: isCurrent ? "current" : "upcoming", tone: tone, note: note,
            overlapping: line.overlapping.isEmpty ? nil : line.overlapping.joined(separator: ", "), bar: bar)
    }

    /// Eight weeks from the Monday of this one, in UTC.
    private struct Window {
        private static let day = 86_400.0
        private static let width = 1000.0
        private let start: Double

        init(now: Date) {
            let days = (now.timeIntervalSince1970 / Self.day).rounded(.down)
            // The first of January 1970 was a Thursday.
            start = (days - (days + 3).truncatingRemainder(dividingBy: 7)) * Self.day
        }

        private var length: Double { Double(PromotionPages.weeks) * 7 * Self.day }

        /// Nil for what begins later. What is short is still to be seen.
        func bar(_ starts: Date, _ ends: Date) -> (x: Int, width: Int)? {
            let from = max(0, (starts.timeIntervalSince1970 - start) / length * Self.width)
            let to = min(Self.width, (ends.timeIntervalSince1970 - start) / length * Self.width)
            return from < Self.width ? (Int(from), max(6, Int(to) - Int(from))) : nil
        }

        var marks: [Mark] {
            (0..<PromotionPages.weeks).map { week in
                let date = Date(timeIntervalSince1970: start + Double(week) * 7 * Self.day)
                return Mark(
                    x: Int(Double(week) / Double(PromotionPages.weeks) * Self.width),
                    day: String(Instant(date).machine.dropFirst(5).prefix(5)))
            }
        }
    }
}
