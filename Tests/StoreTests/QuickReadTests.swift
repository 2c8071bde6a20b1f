// Tests reads that a page can do without.
import Postgres
import Store
import TestSupport
import Testing

@Suite("Reads that a page can do without", .databases)
struct QuickReadTests {
    @Test("A read that takes too long is nothing; others are as they are, and so are errors")
    func bounds() async throws {
        let database = try await TestDatabase.make().database
        func read(_ statement: SQL) async throws -> Int? {
            try await database.quickly { try await $0.connection.first(statement) { try $0("n") as Int } } ?? nil
        }
        #expect(try await read("select 7 as n") == 7)
        #expect(try await read("select 7 as n from pg_sleep(20)") == nil)
        await #expect(throws: PostgresError.self) { try await read("select 1 / 0 as n from curation.nothing") }
        // The connection goes back to the pool with the limit of all others.
        #expect(try await database.connection.first("select 7 as n from pg_sleep(0.6)") { try $0("n") as Int } == 7)
    }
}
