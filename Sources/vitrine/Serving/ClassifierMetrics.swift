// The metrics of the external classifier, as lines of Prometheus text.
import Domain
import Operations
import Platform
import Store

struct ClassifierMetrics: Sendable {
    let database: Database
    let limits: ClassifierLimits
    let counts = ClassifierCounts()
    let log: Logger

    /// Budget, breaker and waiting submissions, which all daemons share, and what this process handled. Without the database
    /// only the latter.
    func lines() async -> [String] {
        var lines: [String] = []
        do {
            if let status = try await database.classifier.status() { lines += shared(status) }
        } catch {
            log.warning("the classifier's status can't be read", ["error": .text(String(describing: error))])
        }
        let responses = counts[.scored]
        let milliseconds = counts.milliseconds
        let fraction = String(milliseconds % 1000 + 1000).dropFirst()
        return lines
            + Self.family(
                "submissions_total", "counter",
                ClassifierCounts.Result.allCases.map { ("{result=\"\($0.rawValue)\"}", "\(counts[$0])") })
            + [
                "# TYPE vitrine_classifier_response_seconds summary",
                "vitrine_classifier_response_seconds_sum \(milliseconds / 1000).\(fraction)",
                "vitrine_classifier_response_seconds_count \(responses)",
            ]
    }

    private func shared(_ status: ClassifierStatus) -> [String] {
        let hour = max(limits.perHour - status.callsThisHour, 0)
        let day = max(limits.perDay - status.callsToday, 0)
        return Self.family("waiting", "gauge", [("", "\(status.waiting)")])
            + Self.family(
                "budget_remaining", "gauge", [("{period=\"hour\"}", "\(hour)"), ("{period=\"day\"}", "\(day)")])
            + Self.family(
                "breaker", "gauge",
                BreakerState.allCases.map { ("{state=\"\($0.rawValue)\"}", $0 == status.breaker ? "1" : "0") })
            + Self.family("failures", "gauge", [("", "\(status.failures)")])
    }

    private static func family(
        _ name: String, _ type: String, _ values: [(labels: String, value: String)]
    ) -> [String] {
        ["# TYPE vitrine_classifier_\(name) \(type)"]
            + values.map { "vitrine_classifier_\(name)\($0.labels) \($0.value)" }
    }
}
