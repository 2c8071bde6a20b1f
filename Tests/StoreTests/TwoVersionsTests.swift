// Runs the steps of docs/how-to/serve-two-versions.md: a second version of the contract next to the first.
import Domain
import FoundationEssentials
import Operations
import Postgres
import Store
import TestSupport
import Testing

@Suite("Two versions of the contract", .databases)
struct TwoVersionsTests {
    /// The SQL blocks of the page, in order.
    private func blocks() throws -> [String] {
        let path = "\(TestDatabase.packageRoot)/docs/how-to/serve-two-versions.md"
        let text = String(decoding: try #require(FileManager.default.contents(atPath: path)), as: UTF8.self)
        return text.components(separatedBy: "```sql\n").dropFirst().compactMap {
            $0.components(separatedBy: "\n```").first
        }
    }

    private func line(_ client: PostgresClient) async throws -> [String] {
        try await client.query(
            """
            select (select number from api_v1.publication order by number desc limit 1)::text || ' '
                || (select number from api_v2.publication order by number desc limit 1)::text || ' '
                || i.title || ' ' || a.headline || ' ' || i.tier || ' ' || a.is_premium || ' ' || a.path as line
            from api_v1.item i join api_v2.article a on a.id = i.id
            """
        ).map { try $0("line") }
    }

    @Test(
        "B14: version 2 runs beside version 1: a publication appears in both, guests see no more, version 1 is unchanged"
    )
    func both() async throws {
        let test = try await TestDatabase.make()
        let write = test.write
        let before = try await ReadContract.read(test.database, roles: Roles.standard).markdown
        let blocks = try blocks()
        #expect(blocks.count == 2)
        try await test.client.run(script: blocks[0])
        #expect(try await ReadContract.read(test.database, roles: Roles.standard).markdown == before)

        let article = try await write.create(
            type: "article",
            fields: [
                "title": "A hull", "body": "<p>Oak.</p>", "tier": "premium",
                "categories": .array([.string(SeedEntry.unsorted.description)]),
            ], publishTiming: .now, by: TestDatabase.administrator)
        let number = try #require(article.publication)
        for reader in [test.reader, test.guest] {
            #expect(try await line(reader) == ["\(number) \(number) A hull A hull premium true /articles/a-hull"])
        }
        let fields = try #require(try await test.database.revisions.newest(of: article.entry)).content.fields
        _ = try await write.edit(
            article.entry, fields: fields.merging(["title": "A keel", "tier": "free"]) { $1 }, base: 1,
            publishTiming: .now,
            by: TestDatabase.administrator)
        #expect(try await line(test.guest) == ["\(number + 1) \(number + 1) A keel A keel free false /articles/a-hull"])

        let full: Int = try await test.reader.one("select count(*) as n from api_v2.article_full")("n")
        #expect(full == 1)
        for statement in [
            "select from api_v2.article_full", "delete from api_v2.article", "select from api_v1.item_full",
        ] {
            await #expect(throws: PostgresError.self) { try await test.guest.query("\(raw: statement)") }
        }
        await #expect(throws: PostgresError.self) { try await test.reader.query("delete from api_v2.article") }
        await #expect(throws: PostgresError.self) { try await test.daemon.query("delete from api_v2.article") }
        #expect(try await test.database.publications.verify().isEmpty)

        try await test.client.run(script: blocks[1])
        #expect(try await test.guest.query("select from api_v1.item").count == 1)
    }
}
