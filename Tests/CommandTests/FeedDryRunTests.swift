// Tests that a dry run names the entries of a feed that the import would refuse.
import Domain
import Platform
import Testing

@Suite("Dry runs of feed imports")
struct FeedDryRunTests {
    private func document(_ texts: [String]) -> String {
        let items = texts.enumerated().map { number, text in
            "<item><guid>g-\(number)</guid><title>Title \(number)</title><description>\(text)</description></item>"
        }
        return "<rss version=\"2.0\"><channel><title>News</title>\(items.joined())</channel></rss>"
    }

    private func dryRun(_ texts: [String], _ options: [String] = []) async throws -> CommandLineRun {
        try await CommandLineRun(
            ["import", "feed", "-", "--dry-run"] + options, input: document(texts), environment: [:])
    }

    @Test("An entry that can't be imported is named with its reason; the exit code is that of the import")
    func refused() async throws {
        let long = String(repeating: "a", count: (1 << 20) + 1)
        let both = try await dryRun(["Short.", long])
        #expect(both.code == .partial && both.output.contains("g-1  Title 1"))
        #expect(both.error.contains("g-1: The text of the entry is larger than 1 MiB."))
        #expect(!both.error.contains("g-0:"))
        let json = try await dryRun(["Short.", long], ["--json"])
        let problems = try json.output.split(separator: "\n").map {
            try JSONValue(parsing: Array($0.utf8))["problem"]?.stringValue
        }
        #expect(problems == [nil, "The text of the entry is larger than 1 MiB."])
        #expect(try await dryRun([long]).code == .conflict)
        #expect(try await dryRun([]).code == .conflict)
        #expect(try await dryRun(["Short."]).code == .ok)
    }
}
