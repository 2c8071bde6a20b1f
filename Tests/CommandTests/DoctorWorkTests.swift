// Tests that doctor sees background tasks, webhooks and releases that need somebody.
import Domain
import Platform
import Postgres
import TestSupport
import Testing

@Suite("Doctor and the work of daemons", .databases)
struct DoctorWorkTests {
    private func findings(_ world: CommandWorld) async throws -> [String: (ok: Bool, detail: String)] {
        let run = try await world.run(["doctor", "--json"])
        return try run.output.split(separator: "\n").reduce(into: [:]) { found, line in
            let finding = try JSONValue(parsing: Array(line.utf8))
            found[finding["check"]?.stringValue ?? ""] = (
                finding["ok"] == .bool(true), finding["detail"]?.stringValue ?? ""
            )
        }
    }

    @Test("A new deployment has nothing to report")
    func nothing() async throws {
        let found = try await findings(try await CommandWorld.make())
        for name in ["background tasks", "webhooks", "releases"] { #expect(found[name]?.ok == true, "\(name)") }
    }

    @Test(
        "Failed tasks of every kind are reported, and those that were due ten minutes ago",
        arguments: [
            (
                "insert into ops.task (kind, state, last_error, finished_at) values ('prune', 'failed', 'No.', now())",
                "--kind task"
            ),
            ("insert into ops.task (kind, next_at) values ('prune', now() - interval '10 minutes')", "1 overdue"),
            ("insert into ops.task (kind, next_at) values ('prune', now() - interval '9 minutes')", nil),
        ] as [(SQL, String?)])
    func tasks(statement: SQL, expected: String?) async throws {
        let world = try await CommandWorld.make()
        try await world.test.writeUnchecked(statement)
        let found = try #require(try await findings(world)["background tasks"])
        #expect(found.ok == (expected == nil) && expected.map { found.detail.contains($0) } != false, "\(found)")
    }

    @Test("A disabled webhook is reported with its reason, one that fails with its error; a paused one is not")
    func webhooks() async throws {
        let world = try await CommandWorld.make()
        let id = try await world.made("webhook create https://app.example/hook", "id")
        #expect(try await findings(world)["webhooks"]?.ok == true)
        _ = try await world.run(["webhook", "pause", id])
        #expect(try await findings(world)["webhooks"]?.ok == true)
        _ = try await world.run(["webhook", "resume", id])
        try await world.test.writeUnchecked(
            "update ops.webhook_backoff set failures = 3, not_before = clock_timestamp() + interval '1 hour'")
        let failing = try #require(try await findings(world)["webhooks"])
        #expect(!failing.ok && failing.detail.contains("https://app.example/hook fails"), "\(failing)")
        try await world.test.writeUnchecked(
            "update ops.webhook set state = 'disabled', reason = 'It responded with 410.'")
        let disabled = try #require(try await findings(world)["webhooks"])
        #expect(!disabled.ok && disabled.detail.contains("is disabled: It responded with 410."), "\(disabled)")
    }

    @Test("A release is late a minute after its time; a failed one is reported with its reason")
    func releases() async throws {
        let world = try await CommandWorld.make()
        let number = try await world.made("release create Spring", "number")
        let columns: SQL = "state = 'scheduled', zone = 'UTC', local_time = now() at time zone 'UTC'"
        try await world.test.writeUnchecked(
            "update curation.release set \(columns), due_at = now() - interval '50 seconds'")
        #expect(try await findings(world)["releases"]?.ok == true)
        try await world.test.writeUnchecked("update curation.release set due_at = now() - interval '60 seconds'")
        let late = try #require(try await findings(world)["releases"])
        #expect(!late.ok && late.detail.contains("release \(number) (Spring)"), "\(late)")
        try await world.test.writeUnchecked(
            "update curation.release set state = 'failed', failure = 'It is empty.', finished_at = now()")
        let failed = try #require(try await findings(world)["releases"])
        #expect(!failed.ok && failed.detail.contains("failed: It is empty."), "\(failed)")
    }
}
