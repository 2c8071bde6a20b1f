// Tests that whoever schedules something is told when the clocks change at its time.
import Domain
import Operations
import Store
import TestSupport
import Testing

@Suite("Clock changes", .databases)
struct ClockChangeTests {
    @Test("Times that the clocks skip or show twice are named, those beside them aren't")
    func boundaries() async throws {
        let test = try await TestDatabase.make()
        let cases: [(local: String, zone: String, says: String)] = [
            ("2093-03-29T00:59:59", "Europe/London", "nothing"), ("2093-03-29T01:00", "Europe/London", "skip 02:00"),
            ("2093-03-29T01:59:59", "Europe/London", "skip 02:59"), ("2093-03-29T02:00", "Europe/London", "nothing"),
            ("2093-10-25T00:59:59", "Europe/London", "nothing"), ("2093-10-25T01:00", "Europe/London", "twice"),
            ("2093-10-25T01:59:59", "Europe/London", "twice"), ("2093-10-25T02:00", "Europe/London", "nothing"),
            // Half an hour.
            ("2027-04-04T01:29:59", "Australia/Lord_Howe", "nothing"),
            ("2027-04-04T01:30", "Australia/Lord_Howe", "twice"),
            ("2027-04-04T02:00", "Australia/Lord_Howe", "nothing"),
            // At midnight.
            ("2027-09-05T00:00", "America/Santiago", "skip 01:00"), ("2027-07-15T09:00", "Asia/Kolkata", "nothing"),
            ("2027-07-15T09:00", "UTC", "nothing"),
        ]
        for item in cases {
            let said = try await test.database.releases.clockChange(at: WallTime(local: item.local, zone: item.zone))
            let clock = item.local.dropFirst(11).prefix(5)
            let expected: String? =
                switch item.says {
                case "nothing": nil
                case "twice":
                    "The clocks in \(item.zone) show \(clock) twice on this day. It will be the second time, after the change."
                default: "The clocks in \(item.zone) skip \(clock) on this day, so it will be \(item.says.suffix(5))."
                }
            #expect(said == expected, "\(item)")
        }
    }

    @Test("Scheduling says so, and a release replaces newer versions only if somebody confirms it")
    func told() async throws {
        let test = try await TestDatabase.make()
        let actor = TestDatabase.administrator
        let skipped = try WallTime(local: "2093-03-29T01:30", zone: "Europe/London")
        let note = "The clocks in Europe/London skip 01:30 on this day, so it will be 02:30."
        let outcome = try await test.write.create(
            type: "article",
            fields: [
                "title": "Spring", "body": "<p>It is warm.</p>",
                "categories": .array([.string(try await test.category("Walks").description)]),
            ], publishTiming: .at(skipped), by: actor)
        #expect(outcome.clockChange == note && outcome.time == skipped)
        let compose = test.services.composeRelease
        let article = try await test.article("Live")
        let number = try await compose.create(title: "Spring", by: actor)
        try await test.edit(article, ["title": "Prepared"], publishTiming: .release(number))
        let near = "Within 2 h, also planned: “Spring” at 02:30."
        #expect(try await compose.schedule(number, at: skipped, by: actor).notes == [note, near])
        // Exactly the version that was published when it was added.
        try await test.edit(article, ["title": "Published since"], publishTiming: .now)
        let later = try WallTime(local: "2093-03-29T02:30", zone: "Europe/London")
        let refused = Failure.refused(
            code: "replaces_newer",
            message: "A newer version of 1 entry is published. Confirm that this release replaces it.")
        await #expect(throws: refused) { try await compose.schedule(number, at: later, by: actor) }
        #expect(try await test.database.releases.find(number: number)?.localTime?.hasSuffix("01:30") == true)
        let notes = try await compose.schedule(number, at: later, replacesNewer: true, by: actor).notes
        #expect(notes == [near, "This release replaces newer versions of 1 entry."])
        #expect(try await compose.schedule(number, at: nil, by: actor).notes.isEmpty, "unscheduling needs no word")
        let publish = test.services.publishRelease
        await #expect(throws: refused) { try await publish.release(number, seen: nil, by: actor) }
        let plan = try await publish.plan(
            .release(try #require(try await test.database.releases.find(number: number)).id))
        #expect(try await publish.release(number, seen: plan.digest, by: actor) != nil)
    }
}
