// Tests the read tables of curated lists: their content and what changes it.
import Domain
import Lists
import Operations
import Platform
import Postgres
import Store
import TestSupport
import Testing

@Suite("Curated lists in the read tables", .databases, .packs(.lists))
struct ListReadTableTests {
    @Test("D2, D23, D24: a list and its items have the columns of the contract")
    func columns() async throws {
        let fixture = try await CatalogFixture.make()
        let films = try await fixture.films(["Heat", "Alien"], about: "A film.")
        let list = try await fixture.list(
            "Rainy Sundays", films, ["owner": "user-7", "subject": .string(films[1].description)])
        let row = try await fixture.row(list)
        let document: JSONValue = try row("document")
        #expect(document["id"]?.stringValue == list.description)
        #expect(document["user"] == "user-7" && document["title"] == "Rainy Sundays")
        #expect(document["subject"]?["title"] == "Alien")
        #expect(document["created_at"]?.stringValue != nil && document["updated_at"]?.stringValue != nil)
        #expect(try row("slug") as String == "rainy-sundays")
        #expect(try row("text") as String == "Rainy Sundays\nHeat\nAlien\n")
        let item = try await fixture.test.client.one(
            "select document from api_v1.list_item where list_id = \(list) order by position limit 1")
        let first: JSONValue = try item("document")
        #expect(first["item_id"] == "Heat" && first["details"]?["overview"] == "A film.")
        #expect(first["list"]?.stringValue == list.description && first["checked"] == .bool(false))
        #expect(first["id"]?.stringValue != nil && first["created_at"] != nil && first["updated_at"] != nil)
        #expect(try await fixture.isVerified())
    }

    @Test("D5: a list without items can be saved as a draft, and publishing it is refused at its field")
    func empty() async throws {
        let fixture = try await CatalogFixture.make()
        let list = try await fixture.list("Empty", [], publishTiming: .approveOnly)
        let refusal = try await #require(throws: Failure.self) {
            _ = try await fixture.write.publish(
                list, number: 1, publishTiming: .now, by: TestDatabase.administrator)
        }
        guard case .invalid(let errors) = refusal else {
            Issue.record("\(refusal)")
            return
        }
        #expect(errors.items.map(\.pointer) == ["/fields/items"])
        let films = try await fixture.films(["Heat"])
        try await fixture.edit(list, ["items": CatalogFixture.rows(films)])
        #expect(try await fixture.items(list).count == 1)
    }

    @Test("D9: an item is in a list at most once, enforced by the check and by the database")
    func once() async throws {
        let fixture = try await CatalogFixture.make()
        let films = try await fixture.films(["Heat", "Alien"])
        let refusal = try await #require(throws: Failure.self) {
            try await fixture.list("Twice", [films[0], films[1], films[0]])
        }
        guard case .invalid(let errors) = refusal else {
            Issue.record("\(refusal)")
            return
        }
        #expect(errors.items.map(\.pointer) == ["/fields/items/2/item"])
        #expect(errors.items.map(\.code) == ["duplicate"])
        let list = try await fixture.list("Once", films)
        await #expect(throws: PostgresError.self) {
            _ = try await fixture.test.client.query(
                """
                insert into curation.catalog_use (revision_id, field, position, item_id)
                select revision_id, 'items', 99, \(films[0]) from curation.live where entry_id = \(list)
                """)
        }
    }

    @Test("D9: an unknown item is refused at the field")
    func unknown() async throws {
        let fixture = try await CatalogFixture.make()
        let refusal = try await #require(throws: Failure.self) {
            try await fixture.list("Ghosts", [ID(UUIDv7.make())])
        }
        guard case .invalid(let errors) = refusal else {
            Issue.record("\(refusal)")
            return
        }
        #expect(errors.items.map(\.pointer) == ["/fields/items/0/item"])
    }

    @Test("D9, D27: moving one item writes that item and the list, and keeps all other ranks")
    func moving() async throws {
        let fixture = try await CatalogFixture.make()
        let films = try await fixture.films(["A", "B", "C", "D"])
        let list = try await fixture.list("Four", films)
        let before = try await fixture.items(list)
        try await fixture.edit(list, ["items": CatalogFixture.rows([films[3], films[0], films[1], films[2]])])
        #expect(
            try await fixture.written() == ["list update", "list_item update", "search update", "search_full update"])
        let after = try await fixture.items(list)
        #expect(after.map(\.title) == ["D", "A", "B", "C"])
        #expect(after.dropFirst().map(\.position) == before.dropLast().map(\.position))
        #expect(after.dropFirst().map(\.updated) == before.dropLast().map(\.updated))
        #expect(after[0].updated != before[3].updated && after[0].created == before[3].created)
        #expect(try await fixture.isVerified())
    }

    @Test("D23, D24: updated_at changes if and only if the content does; created_at never")
    func times() async throws {
        let fixture = try await CatalogFixture.make()
        let films = try await fixture.films(["A", "B"])
        let list = try await fixture.list("Two", films)
        let first = try await fixture.row(list)
        // A revision with unchanged content.
        try await fixture.edit(list, ["title": "Two films"])
        let second = try await fixture.row(list)
        #expect(try second("updated_at") as String != first("updated_at") as String)
        #expect(try second("created_at") as String == first("created_at") as String)
        try await fixture.edit(list, ["title": "Three"], publishTiming: .approveOnly)
        try await fixture.edit(list, ["title": "Two films"])
        let third = try await fixture.row(list)
        #expect(try third("updated_at") as String == second("updated_at") as String)
        #expect(try third("version") as Int64 == second("version") as Int64)
        // An item that is removed and added again is the same item.
        let items = try await fixture.items(list)
        try await fixture.edit(list, ["items": CatalogFixture.rows([films[0]])])
        #expect(
            try await fixture.written() == [
                "catalog_item delete", "list update", "list_item delete", "search update", "search_full update",
            ])
        try await fixture.edit(list, ["items": CatalogFixture.rows(films)])
        let back = try await fixture.items(list)
        #expect(back.map(\.created) == items.map(\.created))
        #expect(back[0].updated == items[0].updated && back[1].updated != items[1].updated)
        #expect(try await fixture.isVerified())
    }

    @Test("D8, D33: new details change exactly the rows that show them, in one publication by the system")
    func described() async throws {
        let fixture = try await CatalogFixture.make()
        let films = try await fixture.films(["A", "B", "C"], about: "Old.")
        let list = try await fixture.list("Two", [films[0], films[1]])
        let before = try await fixture.row(list)
        let publication = try await fixture.publications()
        // Unchanged details and unused items: nothing is published.
        try await fixture.films(["A", "B", "C"], about: "Old.")
        try await fixture.films(["C"], about: "New.")
        #expect(try await fixture.publications() == publication)
        try await fixture.films(["A"], about: "New.")
        #expect(try await fixture.publications() == publication + 1)
        #expect(try await fixture.written() == ["catalog_item update", "list_item update"])
        #expect(try await fixture.row(list)("updated_at") as String == before("updated_at") as String)
        #expect(try await fixture.test.database.publications.find(publication + 1)?.actor == "system")
        // A new title changes the text, and so the version of the list.
        try await fixture.films(["B!"], about: "Old.", ids: ["B"])
        #expect(try await fixture.written() == ["catalog_item update", "list update", "list_item update"])
        let after = try await fixture.row(list)
        #expect(try after("text") as String == "Two\nA\nB!\n")
        #expect(try after("version") as Int64 == publication + 2)
        #expect(try await fixture.isVerified())
    }

    @Test("D25: an unpublished list leaves a tombstone, and its items are deleted")
    func unpublished() async throws {
        let fixture = try await CatalogFixture.make()
        let films = try await fixture.films(["A", "B"])
        let list = try await fixture.list("Two", films)
        _ = try await fixture.write.unpublish(list, by: TestDatabase.administrator)
        #expect(
            try await fixture.written() == [
                "catalog_item delete", "catalog_item delete", "list delete", "list_item delete",
                "list_item delete", "search delete", "search_full delete", "tombstone insert",
            ])
        #expect(try await fixture.isVerified())
    }

    @Test("D6: the catalog contains listed items and items in published lists, nothing else")
    func listed() async throws {
        let fixture = try await CatalogFixture.make()
        let films = try await fixture.films(["A", "B", "C"])
        let publication = try await fixture.publications()
        let offer: @Sendable ([ID<CatalogItem>], Bool) async throws -> Int64? = { ids, isListed in
            try await fixture.test.database.transaction(
                by: TestDatabase.administrator, AuditEvent("catalog.relist", on: "catalog")
            ) { try await $0.catalogs.setListed(ids, isListed, by: TestDatabase.administrator) }
        }
        #expect(try await offer([films[0], films[1]], true) == publication + 1)
        #expect(try await fixture.written() == ["catalog_item insert", "catalog_item insert"])
        #expect(try await offer([films[0]], true) == nil)
        let list = try await fixture.list("One", [films[1]])
        let items = try await fixture.items(list)
        #expect(try await offer(films, false) != nil)
        #expect(try await fixture.written() == ["catalog_item delete"])
        #expect(try await fixture.items(list).map(\.updated) == items.map(\.updated))
        #expect(try await fixture.isVerified())
    }

    @Test("D3: items of a disabled kind are hidden unless lists contain them; enabling it shows them again")
    func disabledKind() async throws {
        let fixture = try await CatalogFixture.make()
        let films = try await fixture.films(["A", "B"])
        _ = try await fixture.test.database.transaction(
            by: TestDatabase.administrator, AuditEvent("catalog.relist", on: "catalog")
        ) { try await $0.catalogs.setListed(films, true, by: TestDatabase.administrator) }
        _ = try await fixture.list("One", [films[1]])
        let id: ID<Entry> = try await fixture.test.client.one(
            "select id from api_v1.setting where key = 'catalogs.offered'")("id")
        func publish(_ kinds: String) async throws -> [String] {
            let newest = try #require(try await fixture.test.database.revisions.newest(of: id))
            _ = try await fixture.write.edit(
                id, fields: newest.content.fields.merging(["value": .string(kinds)]) { _, new in new },
                base: newest.number, publishTiming: .now, by: TestDatabase.administrator)
            // Reads after a publication see its changes immediately.
            return try await fixture.test.client.query("select title from api_v1.catalog_item order by sort_title")
                .map { try $0("title") }
        }
        #expect(try await publish("book\nsong") == ["B"])
        #expect(try await publish("book\nmovie") == ["A", "B"])
        #expect(try await publish("movies") == ["B"], "a kind matches only by its full name")
        #expect(try await fixture.isVerified())
    }

    @Test("D34: an item keeps our id when its source is replaced")
    func moved() async throws {
        let fixture = try await CatalogFixture.make()
        let films = try await fixture.films(["A", "B"])
        let list = try await fixture.list("One", [films[0]])
        let move: @Sendable (ID<CatalogItem>, String, String) async throws -> Int64? = { id, source, externalID in
            try await fixture.test.database.transaction(
                by: TestDatabase.administrator, AuditEvent("catalog.move", on: "catalog_item")
            ) { try await $0.catalogs.move(id, source: source, externalID: externalID, by: TestDatabase.administrator) }
        }
        #expect(try await move(films[0], "google_books", "x1") != nil)
        #expect(try await fixture.written() == ["catalog_item update", "list_item update"])
        let row = try await fixture.test.client.one(
            "select id, source, item_id from api_v1.catalog_item where id = \(films[0])")
        #expect(try row("source") as String == "google_books" && row("item_id") as String == "x1")
        // An unused item is replaced; an item in a list is not.
        #expect(try await move(films[0], "tmdb", "B") != nil)
        #expect(try await fixture.items(list).map(\.title) == ["B"])
        let other = try await fixture.films(["C"])
        await #expect(throws: Failure.self) { _ = try await move(other[0], "tmdb", "B") }
        #expect(try await fixture.isVerified())
    }
}
