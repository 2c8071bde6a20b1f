// Decisions per day and the time to decision, as a small chart and its table.
import Domain
import FoundationEssentials
import Localization
import Platform
import Store

struct DecisionChart: Encodable, Sendable {
    struct Day: Encodable, Sendable {
        let day: String
        let decisions: Int
        /// Nil without decisions.
        let median: String?
        let isToday: Bool
        let x: Int
        let y: Int
        let height: Int
        let waitY: Int
        let waitHeight: Int
    }

    static let count = 14
    /// In units of the view boxes: the height of each row of bars, and the width of a day.
    private static let height = 64.0
    private static let waitHeight = 28.0
    private static let step = 20

    let days: [Day]
    let sum: Int
    /// Of all these decisions; nil without any.
    let medianTime: String?
    let percentile95: String?
    let isEmpty: Bool
    let first: String
    /// A text alternative.
    let description: String

    init(_ days: [DecisionDay]) {
        let most = Double(max(days.map(\.decisions).max() ?? 0, 1))
        let medians = days.map { DecisionDay.wait(percentile: 50, of: [$0]) }
        let longest = Double(max(medians.compactMap(\.self).max() ?? 0, 1))
        self.days = days.enumerated().map { index, day in
            let (height, wait) = (
                Self.scaled(Double(day.decisions) / most, Self.height),
                Self.scaled(Double(medians[index] ?? 0) / longest, Self.waitHeight)
            )
            return Day(
                day: day.day, decisions: day.decisions,
                median: medians[index].map { Age.text(seconds: $0) },
                isToday: index == days.count - 1, x: index * Self.step + 3, y: Int(Self.height) - height,
                height: height, waitY: Int(Self.waitHeight) - wait, waitHeight: wait)
        }
        sum = days.map(\.decisions).reduce(0, +)
        medianTime = DecisionDay.wait(percentile: 50, of: days).map { Age.text(seconds: $0) }
        percentile95 = DecisionDay.wait(percentile: 95, of: days).map { Age.text(seconds: $0) }
        isEmpty = sum == 0
        first = days.first?.day ?? ""
        description = self.days.map {
            tr("\($0.day): \($0.decisions) decisions, median time to decision \($0.median ?? "–")")
        }.joined(separator: "; ")
    }

    /// Days with few decisions are visible next to days with many.
    private static func scaled(_ part: Double, _ height: Double) -> Int { part > 0 ? max(2, Int(part * height)) : 0 }
}
