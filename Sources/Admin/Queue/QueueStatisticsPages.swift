// The queue statistics: pending submissions by age and the time to decision, as charts and tables.
import Domain
import FoundationEssentials
import HTTP
import Localization
import Platform
import Store

enum QueueStatisticsPages {
    private struct Bar: Encodable, Sendable {
        let label: String
        /// The minimum age of its submissions; nil if there is a maximum, too.
        let age: Int?
        let text: String
        let isOverdue: Bool
        let width: Int
    }

    private struct Pace: Encodable, Sendable {
        let name: String
        let decisions: Int
        let median: String
        let percentile95: String
        let isOverdue: Bool
        let medianWidth: Int
        let percentileWidth: Int
    }

    private struct Chart<Line: Encodable & Sendable>: Encodable, Sendable {
        let lines: [Line]
        /// A text alternative to the chart.
        let description: String
        /// How many are shown, if there may be more.
        var shown: Int?
    }

    private struct Model: Encodable, Sendable {
        let targetHours: Int
        let overdue: String?
        let pending: Chart<Bar>
        let days: Int
        let deciders: Chart<Pace>?
        let sources: Chart<Pace>?
    }

    /// The longest bar, in units of its view box.
    private static let barWidth = 1000

    static func show(_ request: AdminRequest) async throws -> Response {
        let target = request.services.reviewPolicy.targetHours
        let statistics = request.database.queueStatistics
        let hours = Array(Set([0, 1, 4, 24, 72, 168] + [target])).sorted()
        let counts = try await statistics.waiting(fromHours: hours)
        let overdue = zip(hours, counts).filter { $0.0 >= target }.map(\.1).reduce(0, +)
        let model = Model(
            targetHours: target, overdue: overdue > 0 ? text(overdue) : nil,
            pending: pending(hours, counts, target), days: QueueStatisticsStore.days,
            deciders: chart(try await statistics.statisticsByDecider(), target),
            sources: chart(try await statistics.statisticsBySource(), target))
        return try request.page("admin/queue/statistics", model, title: tr("Queue statistics"))
    }

    private static func text(_ number: Int) -> String {
        CountText.text(number, limit: QueueStatisticsStore.countLimit)
    }

    private static func pending(_ hours: [Int], _ counts: [Int], _ target: Int) -> Chart<Bar> {
        let maximum = max(counts.max() ?? 0, 1)
        let lines = zip(hours, counts).enumerated().map { index, age in
            let next = hours.count > index + 1 ? hours[index + 1] : nil
            return Bar(
                label: label(age.0, next), age: next == nil ? age.0 : nil, text: text(age.1),
                isOverdue: age.0 >= target && age.1 > 0, width: age.1 * barWidth / maximum)
        }
        let description = lines.map { "\($0.label): \($0.text)" }.joined(separator: "; ")
        return Chart(lines: lines, description: description)
    }

    private static func label(_ from: Int, _ to: Int?) -> String {
        func duration(_ hours: Int) -> String {
            hours % 24 == 0 && hours > 0 ? tr("\(hours / 24) d", context: "model") : tr("\(hours) h", context: "model")
        }
        guard let to else { return tr("Over \(duration(from))", context: "model") }
        return from == 0
            ? tr("Under \(duration(to))", context: "model")
            : tr("\(duration(from)) to \(duration(to))", context: "model")
    }

    private static func chart(_ paces: [DecisionStatistics], _ target: Int) -> Chart<Pace>? {
        if paces.isEmpty { return nil }
        let longest = max(paces.map(\.percentile95).max() ?? 0, 1)
        let lines = paces.map { pace in
            Pace(
                name: ActorName.shown(pace.name), decisions: pace.decisions, median: time(pace.median),
                percentile95: time(pace.percentile95), isOverdue: pace.percentile95 >= Double(target) * 3600,
                medianWidth: Int(pace.median / longest * Double(barWidth)),
                percentileWidth: Int(pace.percentile95 / longest * Double(barWidth)))
        }
        let descriptions = lines.map { tr("\($0.name): median \($0.median), 95th percentile \($0.percentile95)") }
        return Chart(
            lines: lines, description: descriptions.joined(separator: "; "),
            shown: lines.count < QueueStatisticsStore.shown ? nil : lines.count)
    }

    private static func time(_ seconds: Double) -> String {
        let start = Date(timeIntervalSince1970: 0)
        return Age.text(since: start, now: Date(timeIntervalSince1970: max(0, seconds)))
    }
}
