// A test database with catalog items and lists.
import Domain
import Lists
import Operations
import Postgres
import Store
import TestSupport

struct CatalogFixture: World {
    let test: TestDatabase
    let kinds: CatalogKinds
    static func make() async throws -> CatalogFixture {
        let test = try await TestDatabase.make()
        return CatalogFixture(
            test: test, kinds: try CatalogKinds(folder: TestDatabase.packageRoot + "/Config/catalogs"))
    }

    /// Records movies as returned by a source; returns their ids in order.
    @discardableResult
    func films(
        _ titles: [String], about: String = "", areComplete: Bool = false, ids: [String]? = nil
    ) async throws -> [ID<CatalogItem>] {
        guard let kind = kinds["movie"] else { throw Failure.missing("catalog") }
        let records = titles.enumerated().compactMap { index, title in
            CatalogRecord(
                kind, externalID: ids?[index] ?? title, title: title,
                details: about.isEmpty ? [:] : ["overview": .string(about)])
        }
        return try await record(records, kind: "movie", areComplete: areComplete)
    }

    func record(
        _ records: [CatalogRecord], kind: String, areComplete: Bool = false
    ) async throws -> [ID<CatalogItem>] {
        let event = AuditEvent("catalog.update", on: "catalog")
        return try await test.database.transaction(by: Actor(kind: .system, name: "system"), event) { transaction in
            try await transaction.catalogs.record(
                records, areComplete: areComplete, kind: kind, source: "tmdb", by: transaction.actor)
        }
    }

    static func rows(_ items: [ID<CatalogItem>], notes: [String: String] = [:]) -> JSONValue {
        .array(
            items.map { id in
                var row: [String: JSONValue] = ["item": .string(id.description)]
                if let note = notes[id.description] { row["note"] = .string(note) }
                return .object(row)
            })
    }

    @discardableResult
    func list(
        _ title: String, _ items: [ID<CatalogItem>], _ fields: [String: JSONValue] = [:],
        publishTiming: PublishTiming = .now
    ) async throws -> ID<Entry> {
        var all = fields
        all["title"] = .string(title)
        all["items"] = Self.rows(items)
        return try await write.create(
            type: "list", fields: all, publishTiming: publishTiming, by: TestDatabase.administrator
        ).entry
    }

    func row(_ list: ID<Entry>) async throws -> Row {
        try await test.client.one("select * from api_v1.list where id = \(list)")
    }

    /// The items of a published list in order.
    func items(_ list: ID<Entry>) async throws -> [(title: String, position: Int64, updated: String, created: String)] {
        try await test.client.query(
            "select title, position, updated_at::text as u, created_at::text as c from api_v1.list_item where list_id = \(list) order by position"
        ).map { (try $0("title"), try $0("position"), try $0("u"), try $0("c")) }
    }

    /// The row changes of the newest publication, as `table operation`.
    func written() async throws -> [String] {
        try await test.client.query(
            """
            select read_table || ' ' || operation as line from api_v1.change
            where publication = (select max(number) from api_v1.publication) order by 1
            """
        ).map { try $0("line") }
    }

    func publications() async throws -> Int64 { try await test.database.publications.current() }
}

extension TestDatabase {
    /// The tables with a row that contains the text.
    func tables(holding text: String) async throws -> [String] {
        let owner = superuser()
        let names: [String] = try await owner.query(
            """
            select format('%I.%I', schemaname, tablename) as name from pg_tables
            where schemaname in ('curation', 'ops', 'api_v1', 'delivery', 'projection') order by 1
            """
        ).map { try $0("name") }
        var found: [String] = []
        for name in names {
            let holds: Bool = try await owner.one(
                "select exists (select from \(raw: name) t where t::text like \("%" + text + "%")) as holds")("holds")
            if holds { found.append(name) }
        }
        return found
    }
}
