// How the queue fares, as drawings and tables: what waits by age, and how long decisions take.
import Domain
import FoundationEssentials
import HTTP
import Platform
import Store

enum QueueMetricsPages {
    static let routes = [
        AdminEndpoint(method: "GET", pattern: "/queue/statistics", access: .may(.readQueue), handler: show)
    ]

    private struct Bar: Encodable, Sendable {
        let label: String
        let address: String?
        let text: String
        let isLate: Bool
        let y: Int
        let labelY: Int
        let width: Int
        let numberX: Int
    }

    private struct Pace: Encodable, Sendable {
        let name: String
        let decisions: Int
        let median: String
        let percentile95: String
        let isLate: Bool
        let medianWidth: Int
        let percentileWidth: Int
        let y: Int
        let labelY: Int
    }

    private struct Chart<Line: Encodable & Sendable>: Encodable, Sendable {
        let lines: [Line]
        let height: Int
        /// The drawing in words.
        let words: String
    }

    private struct Model: Encodable, Sendable {
        let targetHours: Int
        let late: String?
        let lateAddress: String
        let waiting: Chart<Bar>
        let days: Int
        let deciders: Chart<Pace>?
        let sources: Chart<Pace>?
    }

    /// Of a drawing, in its own units.
    private static let labelWidth = 300
    private static let barWidth = 560
    private static let lineHeight = 40

    private static func show(_ request: AdminRequest) async throws -> Response {
        let target = request.context.targetHours
        let metrics = request.database.queueMetrics
        let hours = Array(Set([0, 1, 4, 24, 72, 168] + [target])).sorted()
        let counts = try await metrics.waiting(fromHours: hours)
        let late = zip(hours, counts).filter { $0.0 >= target }.map(\.1).reduce(0, +)
        let model = Model(
            targetHours: target, late: late > 0 ? text(late) : nil, lateAddress: "/queue?age=\(target)",
            waiting: waiting(hours, counts, target), days: QueueMetricsStore.days,
            deciders: chart(try await metrics.paceByDecider(), target),
            sources: chart(try await metrics.paceBySource(), target))
        return try request.page("admin/queue/statistics", model, title: "How the queue fares")
    }

    private static func text(_ number: Int) -> String {
        number > QueueMetricsStore.countLimit ? "10,000+" : String(number)
    }

    private static func waiting(_ hours: [Int], _ counts: [Int], _ target: Int) -> Chart<Bar> {
        let most = max(counts.max() ?? 0, 1)
        let lines = zip(hours, counts).enumerated().map { index, age in
            let width = age.1 * barWidth / most
            let next = hours.count > index + 1 ? hours[index + 1] : nil
            return Bar(
                label: label(age.0, next), address: next == nil ? "/queue?age=\(age.0)" : nil, text: text(age.1),
                isLate: age.0 >= target && age.1 > 0, y: index * lineHeight + 8, labelY: index * lineHeight + 27,
                width: width, numberX: labelWidth + width + 10)
        }
        let words = lines.map { "\($0.label): \($0.text)" }.joined(separator: "; ")
        return Chart(lines: lines, height: lines.count * lineHeight, words: words)
    }

    private static func label(_ from: Int, _ to: Int?) -> String {
        func words(_ hours: Int) -> String { hours % 24 == 0 && hours > 0 ? "\(hours / 24) d" : "\(hours) h" }
        guard let to else { return "over \(words(from))" }
        return from == 0 ? "under \(words(to))" : "\(words(from)) to \(words(to))"
    }

    private static func chart(_ paces: [DecisionPace], _ target: Int) -> Chart<Pace>? {
        if paces.isEmpty { return nil }
        let longest = max(paces.map(\.percentile95).max() ?? 0, 1)
        let lines = paces.enumerated().map { index, pace in
            Pace(
                name: pace.name, decisions: pace.decisions, median: time(pace.median),
                percentile95: time(pace.percentile95), isLate: pace.percentile95 >= Double(target) * 3600,
                medianWidth: Int(pace.median / longest * Double(barWidth)),
                percentileWidth: Int(pace.percentile95 / longest * Double(barWidth)), y: index * lineHeight + 8,
                labelY: index * lineHeight + 27)
        }
        let words = lines.map { "\($0.name): median \($0.median), 95 of 100 within \($0.percentile95)" }
        return Chart(lines: lines, height: lines.count * lineHeight, words: words.joined(separator: "; "))
    }

    private static func time(_ seconds: Double) -> String {
        let start = Date(timeIntervalSince1970: 0)
        return Age.text(since: start, now: Date(timeIntervalSince1970: max(0, seconds)))
    }
}
