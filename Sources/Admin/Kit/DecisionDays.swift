// The decisions of the last days. Decisions never change, so each finished day is counted once.
import Domain
import FoundationEssentials
import Platform
import Store

actor DecisionDays {
    private struct Counted {
        var finished: [String: DecisionDay] = [:]
        /// The first day that is not in `finished`.
        var next: String?
    }

    /// By the access scope of the page: accounts share few.
    private var counted: [AccessScope: Counted] = [:]
    private static let maxScopes = 100

    /// One for each of the last days in UTC, today last; days without decisions have zeros. Counts what is in the access scope of
    /// the page.
    func last(_ count: Int, _ database: Database, now: Date = Date()) async throws -> [DecisionDay] {
        let days = (0..<count).reversed().map { Self.day(now - Double($0) * 86_400) }
        guard let first = days.first, let today = days.last else { return [] }
        let scope = AccessScope.current
        let next = counted[scope]?.next ?? first
        let found = try await database.queueStatistics.days(from: max(first, next))
        let new = Dictionary(found.map { ($0.day, $0) }) { day, _ in day }
        var known = counted[scope] ?? Counted()
        for day in found where day.day < today { known.finished[day.day] = day }
        known.finished = known.finished.filter { $0.key >= first }
        // A decision of yesterday may be committed within the first minutes of today.
        known.next = Self.day(now - 3600)
        if counted.count >= Self.maxScopes { counted = [:] }
        counted[scope] = known
        return days.map { new[$0] ?? known.finished[$0] ?? DecisionDay(day: $0, waits: []) }
    }

    private static func day(_ date: Date) -> String { String(InstantText.text(date).prefix(10)) }
}
