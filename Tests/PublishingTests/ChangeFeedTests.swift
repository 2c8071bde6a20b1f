// Tests that a mirror that follows the change feed, with pauses, equals a snapshot.
import Domain
import Postgres
import Store
import TestSupport
import Testing

@Suite("The change feed", .databases)
struct ChangeFeedTests {
    /// Keeps a copy of the read tables, and a place in the feed.
    private struct Mirror {
        let test: TestDatabase
        var rows: [String: String] = [:]
        var cursor: Int64 = 0

        /// Reads at most `limit` changes and fetches what they name: gives how many there were.
        mutating func follow(limit: Int) async throws -> Int {
            let changes = try await test.reader.query(
                """
                select number, read_table, key from api_v1.change
                where number > \(cursor) order by number limit \(limit)
                """)
            for change in changes {
                let (number, table, key): (Int64, String, String) = (
                    try change("number"), try change("read_table"), try change("key")
                )
                #expect(number == cursor + 1, "no gap")
                cursor = number
                rows["\(table) \(key)"] = try await test.readRow(of: table, key: key)
            }
            return changes.count
        }
    }

    @Test(
        "A mirror that reads changes in portions, interleaved with publications, ends equal to a snapshot",
        arguments: [3, 8])
    func resume(seed: UInt64) async throws {
        let test = try await TestDatabase.make()
        var editor = RandomEditor(test: test, seed: seed)
        var mirror = Mirror(test: test)
        for _ in 1...30 {
            try await editor.action()
            if Bool.random(using: &editor.random) {
                _ = try await mirror.follow(limit: Int.random(in: 1...7, using: &editor.random))
            }
        }
        while try await mirror.follow(limit: 50) > 0 {}
        #expect(mirror.rows == (try await test.readSnapshot()))
    }
}
