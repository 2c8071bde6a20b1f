// Tests that nobody makes a change public without the permission to approve it, whatever else a role may do.
import Domain
import Operations
import Store
import TestSupport
import Testing

@Suite("Approval as a permission of its own", .databases)
struct SeparateApprovalTests {
    private static let fields: [String: JSONValue] = [
        "title": .string("A walk"), "body": .string("Text"), "categories": .array([.string("\(SeedEntry.unsorted)")]),
    ]

    @Test(
        "A role that publishes or composes releases but doesn't approve saves drafts, and publishes what others approved"
    )
    func drafts() async throws {
        let test = try await TestDatabase.make()
        let actor = try await test.actor(try await test.role("layouter", [.suggest, .publish, .createRelease]))
        let time = try WallTime(local: "2099-01-01T00:00", zone: "UTC")
        for timing in [PublishTiming.approveOnly, .now, .at(time), .release(1)] {
            await #expect(throws: Failure.forbidden("You may not approve versions."), "\(timing)") {
                _ = try await test.write.create(
                    type: "article", fields: Self.fields, publishTiming: timing, by: actor)
            }
        }
        #expect(PublishTiming.now.orDraft(for: actor) == .draft)
        let draft = try await test.write.create(
            type: "article", fields: Self.fields, publishTiming: .draft, by: actor)
        #expect(!draft.isApproved)
        await #expect(throws: Failure.self) {
            _ = try await test.write.publish(draft.entry, number: 1, publishTiming: .now, by: actor)
        }
        let editor = try await test.actor(.editor)
        #expect(try await test.write.approve(draft.entry, number: 1, by: editor).isApproved)
        #expect(
            try await test.write.publish(draft.entry, number: 1, publishTiming: .now, by: actor).publication != nil)
    }

    @Test("Who has both permissions, and no others, approves and publishes")
    func both() async throws {
        let test = try await TestDatabase.make()
        let actor = try await test.actor(try await test.role("layouter", [.suggest, .approve, .publish]))
        #expect(PublishTiming.now.orDraft(for: actor) == .now)
        let outcome = try await test.write.create(
            type: "article", fields: Self.fields, publishTiming: .now, by: actor)
        #expect(outcome.isApproved && outcome.publication != nil)
    }
}
