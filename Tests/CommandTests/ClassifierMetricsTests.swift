// Tests the metrics of the external classifier.
import Domain
import Platform
import Store
import TestSupport
import Testing

@testable import vitrine

@Suite("Metrics of the external classifier", .databases)
struct ClassifierMetricsTests {
    @Test("Budget and breaker come from the database, questions and their time from the process")
    func lines() async throws {
        await avoidEndOfHour()
        let test = try await TestDatabase.make()
        let limits = ClassifierLimits(perHour: 10, perDay: 20, cacheSeconds: 60, timeoutMilliseconds: 2000)
        let metrics = ClassifierMetrics(database: test.database, limits: limits, log: Logger(level: .error))
        let none = await metrics.lines()
        #expect(none.contains("vitrine_classifier_budget_remaining{period=\"hour\"} 10"))
        #expect(none.contains("vitrine_classifier_breaker{state=\"closed\"} 1"))
        #expect(none.contains("vitrine_classifier_response_seconds_sum 0.000"))
        try await test.client.execute(
            """
            insert into ops.classifier_hour (hour, calls) values (date_trunc('hour', clock_timestamp(), 'UTC'), 12)
            """)
        try await test.client.execute(
            """
            update ops.classifier set failures = 5, failing_since = now(), pause_seconds = 30, open_until = now() + interval '1 min'
            """)
        metrics.counts.add(.scored, milliseconds: 1250)
        metrics.counts.add(.failed)
        let lines = await metrics.lines()
        for line in [
            "budget_remaining{period=\"hour\"} 0", "budget_remaining{period=\"day\"} 8", "breaker{state=\"open\"} 1",
            "breaker{state=\"closed\"} 0", "failures 5", "waiting 0", "submissions_total{result=\"scored\"} 1",
            "submissions_total{result=\"failed\"} 1", "response_seconds_sum 1.250", "response_seconds_count 1",
        ] {
            #expect(lines.contains("vitrine_classifier_\(line)"), "\(line)")
        }
    }
}
