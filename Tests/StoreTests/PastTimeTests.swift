// Tests that nothing is scheduled for a time that has passed, in whatever way.
import Domain
import Operations
import Store
import TestSupport
import Testing

@Suite("Times that have passed", .databases)
struct PastTimeTests {
    /// `code pointer` of the refusal.
    private func refusal(_ body: () async throws -> Void) async -> String {
        do {
            try await body()
            return "done"
        } catch Failure.invalid(let errors) {
            return errors.items.map { "\($0.code) \($0.pointer)" }.joined(separator: ", ")
        } catch {
            return "\(error)"
        }
    }

    @Test("A time must be later than now: the current second is refused, the next minute is not")
    func boundary() async throws {
        let test = try await TestDatabase.make()
        let releases = test.database.releases
        let (now, soon) = (try await releases.time(in: 0), try await releases.time(in: 60))
        #expect(await refusal { try await releases.requireFuture(now) } == "past /publish")
        #expect(await refusal { try await releases.requireFuture(now, at: "/publish/local") } == "past /publish/local")
        #expect(await refusal { try await releases.requireFuture(soon) } == "done")
        #expect(
            await refusal { try await releases.requireFuture(WallTime(local: now.local, zone: "Mars/Base")) }
                == "format /zone")
    }

    @Test("Every action that schedules refuses a time that has passed at /publish, and publishes nothing")
    func everyAction() async throws {
        let test = try await TestDatabase.make()
        let actor = TestDatabase.administrator
        let time = try await test.database.releases.time(in: -1)
        let past = PublishTiming.at(time)
        let live = try await test.article("Live")
        let held = try await test.article("Held", .approveOnly)
        let category = try await test.category("Walks")
        let submission = try await test.submit(by: try await test.clientActor())
        let (compose, write) = (test.services.composeRelease, test.write)
        let open = try await compose.create(title: "Open", by: actor)
        let ann = try await test.actor(.publisher, name: "Ann")
        let bulkAction = try await test.services.planBulkAction(.approve, .listed([submission]), by: ann)
        let approval = Decision.Draft(verdict: .approve, publishTiming: past)
        let before = try await test.database.publications.current()

        let refusals = [
            await refusal { _ = try await compose.create(title: "Past", at: time, by: actor) },
            await refusal { _ = try await compose.schedule(open, at: time, by: actor) },
            await refusal { _ = try await test.article("New", past) },
            await refusal { try await test.edit(live, ["title": "Edited"], publishTiming: past) },
            await refusal { _ = try await write.approve(held, number: 1, publishTiming: past, by: actor) },
            await refusal { _ = try await write.publish(held, number: 1, publishTiming: past, by: actor) },
            await refusal { _ = try await write.unpublish(live, publishTiming: past, by: actor) },
            await refusal { _ = try await test.services.archiveCategory(category, past, by: actor) },
            await refusal {
                _ = try await test.services.decideSubmission(submission, approval, version: nil, by: ann)
            },
            await refusal { _ = try await test.services.runBulkAction(bulkAction, .decide(approval), by: ann) },
        ]
        #expect(refusals == Array(repeating: "past /publish", count: refusals.count))
        #expect(try await test.database.publications.current() == before)
        #expect(try await test.database.releases.scheduled().isEmpty)
        #expect(try await test.database.releases.find(number: open)?.state == .open)
        #expect(try await test.state(submission) == .pending)
        #expect(try await test.rows("item", "title") == ["Live"])
    }
}
