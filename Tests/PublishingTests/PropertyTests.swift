// Tests that a publication changes exactly the dependent rows: incremental equals full, plan equals result.
import Domain
import Postgres
import Store
import TestBasics
import TestSupport
import Testing

@Suite("Publications against a full comparison", .databases)
struct PropertyTests {
    @Test(
        "R23, B29: after random actions the read tables match the live set, and changes are gapless",
        arguments: TestScale.seeds(1, 7))
    func incrementalEqualsFull(seed: UInt64) async throws {
        let test = try await TestDatabase.make()
        var editor = RandomEditor(test: test, seed: seed)
        editor.merges = true
        try await editor.act(60, verifyingEach: 5)
        #expect(editor.refused < editor.actions / 2)
        let gaps: Int = try await test.client.one("select max(number) - count(*) as gaps from api_v1.change")("gaps")
        #expect(gaps == 0)
        let numbers: Int = try await test.client.one(
            "select max(number) - count(*) as gaps from api_v1.publication")("gaps")
        #expect(numbers == 0)
    }

    @Test("A wrong value in a read table is found by verify and fixed by repair in one publication")
    func rebuild() async throws {
        let test = try await TestDatabase.make()
        var editor = RandomEditor(test: test, seed: 11)
        for _ in 1...15 { try await editor.action() }
        _ = try await test.client.query(
            "update api_v1.item set title = title || '!' where id = (select min(id::text)::uuid from api_v1.item)")
        _ = try await test.client.query(
            "delete from api_v1.search where id = (select max(id::text)::uuid from api_v1.search)")
        let differences = try await test.database.publications.verify()
        #expect(differences.map(\.table).sorted() == ["item", "search"])
        let before = try await test.database.publications.current()
        #expect(try await test.repair() == before + 1)
        #expect(try await test.database.publications.verify().isEmpty)
    }
}
