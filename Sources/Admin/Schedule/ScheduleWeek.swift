// A row of the calendar: days with what happens on them, and bars for what lasts.
import Domain

struct ScheduleWeek: Encodable, Sendable {
    struct Day: Encodable, Sendable {
        /// Nil before the first day of a month.
        let date: String?
        /// `Mon 23`
        let label: String
        let url: String?
        let isToday: Bool
        let events: [ScheduleEvent]

        static let blank = Day(date: nil, label: "", url: nil, isToday: false, events: [])
    }

    struct Bar: Encodable, Sendable {
        let title: String
        let url: String
        let detail: String
        let tone: String
        /// As written in the calendar, and in the links that move it.
        let starts, ends: String
        let localStart, localEnd: String
        /// The column in which it begins, from 1, and how many it is wide.
        let column: Int
        let columns: Int
        /// Whether it begins or ends in this row, where its edges are moved.
        let hasStart: Bool
        let hasEnd: Bool
        let move: String?
    }

    let bars: [Bar]
    let days: [Day]

    /// `days` with the blank ones before them.
    init(_ days: [Day], _ spans: [ScheduleSpan]) {
        self.days = days
        let dates = days.map { $0.date ?? "" }
        guard let first = dates.first(where: { !$0.isEmpty }), let last = dates.last else {
            bars = []
            return
        }
        bars = spans.compactMap { span in
            let (begins, ends) = span.days
            // Dates of this form are in order as texts.
            guard begins <= last, ends >= first, let from = dates.firstIndex(of: max(begins, first)),
                let to = dates.firstIndex(of: min(ends, last))
            else { return nil }
            return Bar(
                title: span.title, url: span.url, detail: span.detail, tone: span.tone, starts: span.localStart,
                ends: span.localEnd, localStart: span.localStart.replacing(" ", with: "T"),
                localEnd: span.localEnd.replacing(" ", with: "T"), column: from + 1, columns: to - from + 1,
                hasStart: begins >= first, hasEnd: ends <= last, move: span.moveURL)
        }
    }
}
