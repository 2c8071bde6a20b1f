// The decisions of one day in UTC, with how long their submissions waited.

package struct DecisionDay: Sendable {
    /// The decisions after the same wait.
    package struct Wait: Sendable {
        /// From receipt to decision, rounded down to the unit in which an age is shown: few waits describe many decisions.
        package let seconds: Int
        package let decisions: Int

        package init(seconds: Int, decisions: Int) { (self.seconds, self.decisions) = (seconds, decisions) }
    }

    /// `2026-11-24`
    package let day: String
    package let waits: [Wait]

    package init(day: String, waits: [Wait]) { (self.day, self.waits) = (day, waits) }

    package var decisions: Int { waits.reduce(0) { $0 + $1.decisions } }

    /// The shortest wait in which this percentage of the decisions was made; nil without decisions.
    package static func wait(percentile: Int, of days: [DecisionDay]) -> Int? {
        let decisions = days.reduce(0) { $0 + $1.decisions }
        var made = 0
        for wait in days.flatMap(\.waits).sorted(by: { $0.seconds < $1.seconds }) {
            made += wait.decisions
            if made * 100 >= decisions * percentile { return wait.seconds }
        }
        return nil
    }
}
