// Lists current and upcoming promotions by place with a timeline and overlaps, and shows them in the schedule.
import Admin
import Domain
import FoundationEssentials
import HTTP
import Localization
import Platform
import Store

enum PromotionPages {
    /// The most promotions on the page.
    private static let shown = 300
    /// The number of weeks in the timeline.
    private static let weeks = 8

    private struct Line: Encodable, Sendable {
        let id: ID<Entry>
        let title: String
        /// Its own image, or that of its place.
        let thumbnail: ThumbnailView?
        let place: ID<Entry>
        let placeTitle: String
        let starts: Instant
        let ends: Instant
        let state: String
        let tone: String
        /// Why the app does not show it, if so.
        let note: String?
        let overlapping: String?
        /// Its start and width, in thousandths of the timeline.
        let bar: Bar?
    }

    private struct Bar: Encodable, Sendable {
        let x: Int
        let width: Int
        let tone: String
        /// The text alternative.
        let label: String
    }

    private struct List: Encodable, Sendable {
        let lines: [Line]
        /// The Mondays of the timeline, such as `11-23`.
        let marks: [String]
        let overlaps: Int?
        let isTruncated: Bool
        let mayCreate: Bool
    }

    static func list(_ request: AdminRequest) async throws -> Response {
        let now = Date()
        let window = Window(now: now)
        let found = try await request.database.promotions.schedule(from: now, limit: shown + 1)
        let images = try await request.thumbnails(of: found.flatMap { [$0.id, $0.place] })
        let lines = found.prefix(shown).map { line($0, images[$0.id] ?? images[$0.place], now, window) }
        let overlaps = lines.count { $0.overlapping != nil }
        let model = List(
            lines: lines, marks: window.marks, overlaps: overlaps > 0 ? overlaps : nil,
            isTruncated: found.count > shown,
            mayCreate: request.actor.may(.edit, on: "promotion"))
        return try request.page("packs/places/promotions/list", model, title: tr("Promotions", context: "list"))
    }

    /// The promotions that last on these days, for people who may see promotions.
    static func spans(_ request: AdminRequest, on days: ScheduleDays, limit: Int) async throws -> [ScheduleSpan] {
        guard request.actor.scope.contains(type: "promotion") else { return [] }
        let mayMove = request.actor.may(.suggest, on: "promotion")
        return try await request.database.promotions.spans(on: days, limit: limit).map { span in
            ScheduleSpan(
                from: (span.startsAt, span.localStart), to: (span.endsAt, span.localEnd),
                title: EntryPages.shown(span.title), url: AdminURL.entry(span.id),
                detail: span.isLive ? tr("Promotion", context: "schedule") : tr("Not published"),
                tone: span.isLive ? "ok" : "", moveURL: mayMove ? PlacesURL.promotionSchedule(span.id) : nil,
                group: span.place.description, groupTitle: EntryPages.shown(span.placeTitle))
        }
    }

    private static func line(
        _ line: PromotionLine, _ image: ThumbnailView?, _ now: Date, _ window: Window
    ) -> Line {
        // Half-open, as in the read tables: current at its start, over at its end (B44).
        let isCurrent = line.startsAt <= now
        var note: String?
        if !line.isLive {
            note = tr("Not published")
        } else if !line.isPlaceLive {
            note = tr("Place not published")
        } else if line.isNewer {
            note = tr("Unpublished changes")
        }
        let (starts, ends) = (Instant(line.startsAt, now: now), Instant(line.endsAt, now: now))
        let tone = note != nil ? "wait" : isCurrent ? "ok" : ""
        let bar = window.bar(line.startsAt, line.endsAt).map { x, width in
            Bar(
                x: x, width: width, tone: line.overlapping.isEmpty ? tone : "bad",
                label: tr("\(starts.text) to \(ends.text)", context: "list"))
        }
        return Line(
            id: line.id, title: EntryPages.shown(line.title), thumbnail: image, place: line.place,
            placeTitle: EntryPages.shown(line.placeTitle), starts: starts, ends: ends,
            state: isCurrent ? tr("Current", context: "list") : tr("Upcoming", context: "list"), tone: tone, note: note,
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

        /// Nil for a later promotion. A short bar keeps a visible width.
        func bar(_ starts: Date, _ ends: Date) -> (x: Int, width: Int)? {
            let from = max(0, (starts.timeIntervalSince1970 - start) / length * Self.width)
            let to = min(Self.width, (ends.timeIntervalSince1970 - start) / length * Self.width)
            return from < Self.width ? (Int(from), max(6, Int(to) - Int(from))) : nil
        }

        var marks: [String] {
            (0..<PromotionPages.weeks).map { week in
                let date = Date(timeIntervalSince1970: start + Double(week) * 7 * Self.day)
                return String(Instant(date).iso.dropFirst(5).prefix(5))
            }
        }
    }
}
