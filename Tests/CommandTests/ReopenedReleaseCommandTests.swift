// Tests that commands say which scheduled releases they have opened.
import Domain
import TestSupport
import Testing

@Suite("Commands that open scheduled releases", .databases)
struct ReopenedReleaseCommandTests {
    @Test("A change says on standard error that the release is open again, and its row says when it was scheduled for")
    func says() async throws {
        let world = try await CommandWorld.make()
        let number = try await world.made("release create Spring", "number")
        _ = try await world.after("release add \(number) {approved}", number)
        let at = "--at 2999-12-05T09:00 --zone Europe/London"
        _ = try await world.after("release schedule \(number) \(at)", number)
        let run = try await world.run(try await world.arguments("release add \(number) {approved} --json"))
        let message = "Release \(number) was scheduled for 2999-12-05 09:00 Europe/London. It is open again"
        #expect(run.code == .ok && run.error.contains(message))
        let row = try JSONValue(parsing: Array(run.output.prefix { $0 != "\n" }.utf8))
        #expect(row["state"] == "open" && row["reopened_from"] == "2999-12-05 09:00 Europe/London")
        let shown = try await world.run(["release", "show", number])
        #expect(shown.output.contains("changed after it was scheduled for 2999-12-05 09:00 Europe/London"))
        #expect(shown.output.contains("new, by "))
        // Nothing is said about a release that is open.
        let again = try await world.run(try await world.arguments("release add \(number) {approved}"))
        #expect(again.code == .ok && !again.error.contains("open again"))
    }

    @Test("A command that fails after it has opened a release says so, too")
    func fails() async throws {
        let world = try await CommandWorld.make()
        let number = try await world.made("release create Spring", "number")
        _ = try await world.after("release add \(number) {approved}", number)
        let shown = try await world.run(["release", "show", number, "--json"])
        let line = try #require(shown.output.split(separator: "\n").dropFirst().first)
        let item = try JSONValue(parsing: Array(line.utf8))
        let entry = try #require(item["entry"]?.stringValue)
        _ = try await world.after("release schedule \(number) --at 2999-12-05T09:00 --zone Europe/London", number)
        let run = try await world.run(["release", "remove", number, entry, "0197c0de-0000-7000-8000-000000000001"])
        #expect(run.code != .ok && run.error.contains("It is open again"))
    }
}
