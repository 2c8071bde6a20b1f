// The decisions of the last days. Decisions never change, so each finished day is counted once.
import FoundationEssentials
import Platform
import Store

actor DecisionDays {
    private var finished: [String: DecisionDay] = [:]
    /// The first day that is not in `finished`.
    private var next: String?

    /// One for each of the last days in UTC, today last; days without decisions have zeros.
    func last(_ count: Int, _ database: Database, now: Date = Date()) async throws -> [DecisionDay] {
        let days = (0..<count).reversed().map { Self.day(now - Double($0) * 86_400) }
        guard let first = days.first, let today = days.last else { return [] }
        let found = try await database.queueStatistics.days(from: max(first, next ?? first))
        let counted = Dictionary(found.map { ($0.day, $0) }) { day, _ in day }
        for day in found where day.day < today { finished[day.day] = day }
        finished = finished.filter { $0.key >= first }
        // A decision of yesterday may be committed within the first minutes of today.
        next = Self.day(now - 3600)
        return days.map { counted[$0] ?? finished[$0] ?? DecisionDay(day: $0, decisions: 0, median: 0) }
    }

    private static func day(_ date: Date) -> String { String(InstantText.text(date).prefix(10)) }
}
