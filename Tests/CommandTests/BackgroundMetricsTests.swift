// Tests the metrics of background tasks.
import Domain
import HTTP
import Platform
import Postgres
import Store
import TestSupport
import Testing

@testable import Tasks
@testable import vitrine

@Suite("Metrics of background tasks", .databases)
struct BackgroundMetricsTests {
    @Test("Waiting, failed and oldest come from the database, finished ones from the process, for every kind")
    func lines() async throws {
        let test = try await TestDatabase.make()
        let metrics = BackgroundMetrics(database: test.database, log: Logger(level: .error))
        let none = await metrics.lines()
        #expect(none.count == 4 + 3 * 4 + 4 * 3 && none.allSatisfy { $0.hasPrefix("# TYPE") || $0.hasSuffix(" 0") })

        try await test.client.execute(
            "insert into ops.task (kind, created_at) values ('prune', now() - interval '1 hour'), ('prune', now())")
        try await test.client.execute(
            """
            insert into ops.outbox_message (key, recipient, locale, subject, body, dedupe, state, last_error, finished_at)
            values ('mail.test', 'ann@example.org', 'en', 'Hello', 'Hello.', 'one', 'failed', 'Refused.', now())
            """)
        metrics.finished.add(.outcome, .done, 3)
        metrics.finished.add(.mail, .failed)
        let lines = await metrics.lines()
        for line in [
            #"vitrine_background_waiting{kind="task"} 2"#, #"vitrine_background_waiting{kind="mail"} 0"#,
            #"vitrine_background_failed{kind="mail"} 1"#, #"vitrine_background_failed{kind="webhook_delivery"} 0"#,
            #"vitrine_background_finished_total{kind="outcome",result="done"} 3"#,
            #"vitrine_background_finished_total{kind="mail",result="failed"} 1"#,
            "# TYPE vitrine_background_finished_total counter",
        ] {
            #expect(lines.contains(line), "\(line)")
        }
        let oldest = lines.first { $0.hasPrefix(#"vitrine_background_oldest_seconds{kind="task"}"#) }
        #expect(oldest.flatMap { Int($0.split(separator: " ").last ?? "") }.map { (3600...3700).contains($0) } == true)
    }

    @Test("S32: /metrics needs the token, and has the background tasks of a daemon")
    func endpoint() async throws {
        let test = try await TestDatabase.make()
        let metrics = BackgroundMetrics(database: test.database, log: Logger(level: .error))
        let settings = try Settings.load(environment: ["VITRINE_METRICS_TOKEN": "a-long-token-for-metrics"])
        let health = Health(settings: settings, background: metrics) { Readiness() }
        func get(_ token: String, _ health: Health) async -> (status: Int, text: String) {
            var headers = Headers()
            headers.append("Authorization", "Bearer \(token)")
            let response = await health.respond(
                Request(
                    method: "GET", path: "/metrics", rawTarget: "/metrics", headers: headers,
                    remoteAddress: "192.0.2.7", loop: test.loop))
            guard case .bytes(let bytes) = response.body else { return (response.status, "") }
            return (response.status, String(decoding: bytes, as: UTF8.self))
        }
        let withoutToken = Health(settings: try Settings.load(environment: [:]), background: metrics) { Readiness() }
        #expect(await get("", withoutToken).status == 404, "no token is configured, so none is right")
        #expect(await get("wrong", health).status == 404)
        let page = await get("a-long-token-for-metrics", health)
        #expect(page.status == 200 && page.text.hasSuffix("\n"))
        #expect(page.text.contains("\nvitrine_background_waiting{kind=\"task\"} 0\n"))
        #expect(page.text.contains("\nvitrine_requests_in_flight 0\n"))
    }
}
