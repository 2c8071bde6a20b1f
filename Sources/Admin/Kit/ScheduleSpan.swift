// Something that lasts from one time to another, such as a promotion: what a pack adds to the schedule.
import Domain
import FoundationEssentials
import Localization

package struct ScheduleSpan: Sendable {
    /// It includes its start, but not its end.
    let starts: Date
    let ends: Date
    /// By the clocks of the person's zone: `2026-11-20 18:00`.
    let localStart: String
    let localEnd: String
    let title: String
    let url: String
    /// What it is, or why readers don't see it.
    let detail: String
    let tone: String
    /// Where it is moved; nil for people who can't.
    let moveURL: String?
    /// Two with the same group should not overlap.
    let group: String
    let groupTitle: String

    package init(
        from start: (date: Date, local: String), to end: (date: Date, local: String), title: String, url: String,
        detail: String, tone: String, moveURL: String?, group: String, groupTitle: String
    ) {
        (starts, localStart) = start
        (ends, localEnd) = end
        self.title = title
        self.url = url
        self.detail = detail
        self.tone = tone
        self.moveURL = moveURL
        self.group = group
        self.groupTitle = groupTitle
    }

    /// The first and the last day: one that ends at midnight is not on the day that begins then.
    var days: (first: String, last: String) {
        let (first, last) = (String(localStart.prefix(10)), String(localEnd.prefix(10)))
        guard localEnd.hasSuffix(" 00:00"), first < last, let day = CalendarDay(last)?.adding(days: -1) else {
            return (first, last)
        }
        return (first, day.text)
    }

    /// Sentences about those of one group that overlap, earliest first.
    static func overlaps(of spans: [ScheduleSpan], limit: Int) -> [String] {
        var found: [(span: ScheduleSpan, sentence: String)] = []
        for group in Dictionary(grouping: spans, by: \.group).values {
            let sorted = group.sorted { ($0.starts, $0.title) < ($1.starts, $1.title) }
            for (index, first) in sorted.enumerated() {
                for second in sorted[(index + 1)...].prefix(while: { $0.starts < first.ends }) {
                    let end = first.ends < second.ends ? first.localEnd : second.localEnd
                    found.append((second, sentence(first, second, until: end)))
                }
            }
        }
        return found.sorted { ($0.span.starts, $0.sentence) < ($1.span.starts, $1.sentence) }.prefix(limit)
            .map(\.sentence)
    }

    private static func sentence(_ first: ScheduleSpan, _ second: ScheduleSpan, until end: String) -> String {
        let (start, place) = (second.localStart, first.groupTitle)
        return tr("“\(first.title)” and “\(second.title)” of \(place) overlap from \(start) to \(end).")
    }
}
