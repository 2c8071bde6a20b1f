// Tests that the commands of background tasks list and retry each kind.
import Domain
import Platform
import Postgres
import TestSupport
import Testing

@Suite("Commands of background tasks", .databases)
struct TaskCommandTests {
    @Test("\"task list\" lists all kinds, of one kind or state; \"task retry\" retries each that can fail")
    func tasks() async throws {
        let world = try await CommandWorld.make()
        let ids = try await world.arguments("{failedTask} {failedMail} {failedDelivery} {sentOutcome}")
        func list(_ options: String) async throws -> [JSONValue] {
            let run = try await world.run(try await world.arguments("task list --json \(options)"))
            #expect(run.code == .ok)
            return try run.output.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
        }
        let all = try await list("")
        #expect(Set(all.compactMap { $0["kind"]?.stringValue }) == ["task", "mail", "webhook_delivery", "outcome"])
        #expect(Set(all.compactMap { $0["id"]?.stringValue }) == Set(ids))
        #expect(try await list("--state failed").count == 3)
        #expect(try await list("--limit 2").count == 2)
        let mails = try await list("--kind mail --state failed")
        #expect(mails.count == 1 && mails.first?["recipient"]?.stringValue == "ann@example.org")
        let outcomes = try await list("--kind outcome --state done")
        #expect(outcomes.first?["result"]?.stringValue == "notified")
        for id in ids {
            let run = try await world.run(["task", "retry", id])
            #expect(run.code == (id == ids[3] ? .conflict : .ok), "\(run.error)")
        }
        #expect(try await list("--state waiting").count == 3)
    }
}
