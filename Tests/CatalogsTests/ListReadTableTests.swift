// The read tables of curated lists: what they hold, what changes them and what does not.
import Domain
import Editorial
import Platform
import Postgres
import Store
import TestSupport
import Testing

@Suite("Curated lists in the read tables", .databases)
struct ListReadTableTests {
    @Test("D2, D23, D24: a list and its items hold what the contract says")
    func columns() async throws {
        let shelf = try await Shelf.make()
        let films = try await shelf.films(["Heat", "Alien"], about: "A film.")
        let list = try await shelf.list(
            "Rainy Sundays", films, ["owner": "user-7", "subject": .string(films[1].description)])
        let row = try await shelf.row(list)
        let document: JSONValue = try row("document")
        #expect(document["id"]?.stringValue == list.description)
        #expect(document["user"] == "user-7" && document["title"] == "Rainy Sundays")
        #expect(document["subject"]?["title"] == "Alien")
        #expect(document["created_at"]?.stringValue != nil && document["updated_at"]?.stringValue != nil)
        #expect(try row("slug") as String == "rainy-sundays")
        #expect(try row("text") as String == "Rainy Sundays\nHeat\nAlien\n")
        let item = try await shelf.test.client.one(
            "select document from api_v1.list_item where list_id = \(list) order by position limit 1")
        let first: JSONValue = try item("document")
        #expect(first["item_id"] == "Heat" && first["details"]?["overview"] == "A film.")
        #expect(first["list"]?.stringValue == list.description && first["checked"] == .bool(false))
        #expect(first["id"]?.stringValue != nil && first["created_at"] != nil && first["updated_at"] != nil)
        #expect(try await shelf.isVerified())
    }

    @Test("D5: a list without items can be kept as a draft and is refused at publication, at its field")
    func empty() async throws {
        let shelf = try await Shelf.make()
        let list = try await shelf.list("Empty", [], publishTiming: .approveOnly)
        let refusal = try await #require(throws: Failure.self) {
            _ = try await shelf.write.publish(
                list, number: 1, publishTiming: .now, by: TestDatabase.administrator)
        }
        guard case .invalid(let errors) = refusal else {
            Issue.record("\(refusal)")
            return
        }
        #expect(errors.items.map(\.pointer) == ["/fields/items"])
        let films = try await shelf.films(["Heat"])
        try await shelf.edit(list, ["items": Shelf.rows(films)])
        #expect(try await shelf.items(list).count == 1)
    }

    @Test("D9: the same item is in a list at most once, by the check and by the database")
    func once() async throws {
        let shelf = try await Shelf.make()
        let films = try await shelf.films(["Heat", "Alien"])
        let refusal = try await #require(throws: Failure.self) {
            try await shelf.list("Twice", [films[0], films[1], films[0]])
        }
        guard case .invalid(let errors) = refusal else {
            Issue.record("\(refusal)")
            return
        }
        #expect(errors.items.map(\.pointer) == ["/fields/items/2/item"])
        #expect(errors.items.map(\.code) == ["duplicate"])
        let list = try await shelf.list("Once", films)
        let owner = try await shelf.test.superuser()
        await #expect(throws: PostgresError.self) {
            _ = try await owner.query(
                """
                insert into curation.catalog_use (revision_id, field, rank, item_id)
                select revision_id, 'items', 99, \(films[0]) from curation.live where entry_id = \(list)
                """)
        }
        await owner.close()
    }

    @Test("D9: an item that is in no catalog is refused at the field")
    func unknown() async throws {
        let shelf = try await Shelf.make()
        let refusal = try await #require(throws: Failure.self) {
            try await shelf.list("Ghosts", [ID(UUIDv7.make())])
        }
        guard case .invalid(let errors) = refusal else {
            Issue.record("\(refusal)")
            return
        }
        #expect(errors.items.map(\.pointer) == ["/fields/items"])
    }

    @Test("D9, D27: moving one item writes that item and the list, and keeps all other ranks")
    func moving() async throws {
        let shelf = try await Shelf.make()
        let films = try await shelf.films(["A", "B", "C", "D"])
        let list = try await shelf.list("Four", films)
        let before = try await shelf.items(list)
        try await shelf.edit(list, ["items": Shelf.rows([films[3], films[0], films[1], films[2]])])
        #expect(try await shelf.written() == ["list update", "list_item update", "search update"])
        let after = try await shelf.items(list)
        #expect(after.map(\.title) == ["D", "A", "B", "C"])
        #expect(after.dropFirst().map(\.position) == before.dropLast().map(\.position))
        #expect(after.dropFirst().map(\.updated) == before.dropLast().map(\.updated))
        #expect(after[0].updated != before[3].updated && after[0].created == before[3].created)
        #expect(try await shelf.isVerified())
    }

    @Test("D23, D24: updated_at changes if and only if the content does; created_at never")
    func times() async throws {
        let shelf = try await Shelf.make()
        let films = try await shelf.films(["A", "B"])
        let list = try await shelf.list("Two", films)
        let first = try await shelf.row(list)
        // A revision that says the same as one before it.
        try await shelf.edit(list, ["title": "Two films"])
        let second = try await shelf.row(list)
        #expect(try second("updated_at") as String != first("updated_at") as String)
        #expect(try second("created_at") as String == first("created_at") as String)
        try await shelf.edit(list, ["title": "Three"], publishTiming: .approveOnly)
        try await shelf.edit(list, ["title": "Two films"])
        let third = try await shelf.row(list)
        #expect(try third("updated_at") as String == second("updated_at") as String)
        #expect(try third("version") as Int64 == second("version") as Int64)
        // An item that goes and comes back is the same item.
        let items = try await shelf.items(list)
        try await shelf.edit(list, ["items": Shelf.rows([films[0]])])
        #expect(
            try await shelf.written() == ["catalog_item delete", "list update", "list_item delete", "search update"])
        try await shelf.edit(list, ["items": Shelf.rows(films)])
        let back = try await shelf.items(list)
        #expect(back.map(\.created) == items.map(\.created))
        #expect(back[0].updated == items[0].updated && back[1].updated != items[1].updated)
        #expect(try await shelf.isVerified())
    }

    @Test("D8, D33: what is described anew changes exactly the rows that show it, in one publication by the system")
    func described() async throws {
        let shelf = try await Shelf.make()
        let films = try await shelf.films(["A", "B", "C"], about: "Old.")
        let list = try await shelf.list("Two", [films[0], films[1]])
        let before = try await shelf.row(list)
        let publication = try await shelf.publications()
        // The same again, and one that nobody shows: nothing is published.
        try await shelf.films(["A", "B", "C"], about: "Old.")
        try await shelf.films(["C"], about: "New.")
        #expect(try await shelf.publications() == publication)
        try await shelf.films(["A"], about: "New.")
        #expect(try await shelf.publications() == publication + 1)
        #expect(try await shelf.written() == ["catalog_item update", "list_item update"])
        #expect(try await shelf.row(list)("updated_at") as String == before("updated_at") as String)
        #expect(try await shelf.test.database.publications.find(publication + 1)?.actor == "system")
        // Another title is another text, and so another version of the list.
        try await shelf.films(["B!"], about: "Old.", ids: ["B"])
        #expect(try await shelf.written() == ["catalog_item update", "list update", "list_item update"])
        let after = try await shelf.row(list)
        #expect(try after("text") as String == "Two\nA\nB!\n")
        #expect(try after("version") as Int64 == publication + 2)
        #expect(try await shelf.isVerified())
    }

    @Test("D25: a withdrawn list leaves a tombstone, and its items are gone")
    func unpublished() async throws {
        let shelf = try await Shelf.make()
        let films = try await shelf.films(["A", "B"])
        let list = try await shelf.list("Two", films)
        _ = try await shelf.write.unpublish(list, by: TestDatabase.administrator)
        #expect(
            try await shelf.written() == [
                "catalog_item delete", "catalog_item delete", "list delete", "list_item delete",
                "list_item delete", "search delete", "tombstone insert",
            ])
        #expect(try await shelf.isVerified())
    }

    @Test("D6: readers browse what a curator offered and what live lists name, and nothing that nobody chose")
    func offered() async throws {
        let shelf = try await Shelf.make()
        let films = try await shelf.films(["A", "B", "C"])
        let publication = try await shelf.publications()
        let offer: @Sendable ([ID<CatalogItem>], Bool) async throws -> Int64? = { ids, isListed in
            try await shelf.test.database.change(
                by: TestDatabase.administrator, AuditEvent("catalog.relist", on: "catalog")
            ) { try await $0.catalogs.offer(ids, isListed, by: TestDatabase.administrator) }
        }
        #expect(try await offer([films[0], films[1]], true) == publication + 1)
        #expect(try await shelf.written() == ["catalog_item insert", "catalog_item insert"])
        #expect(try await offer([films[0]], true) == nil)
        let list = try await shelf.list("One", [films[1]])
        let items = try await shelf.items(list)
        #expect(try await offer(films, false) != nil)
        #expect(try await shelf.written() == ["catalog_item delete"])
        #expect(try await shelf.items(list).map(\.updated) == items.map(\.updated))
        #expect(try await shelf.isVerified())
    }

    @Test("D3: a kind that is switched off is browsed no more, but for what lists name; switched on, it is there again")
    func switchedOff() async throws {
        let shelf = try await Shelf.make()
        let films = try await shelf.films(["A", "B"])
        _ = try await shelf.test.database.change(
            by: TestDatabase.administrator, AuditEvent("catalog.relist", on: "catalog")
        ) { try await $0.catalogs.offer(films, true, by: TestDatabase.administrator) }
        _ = try await shelf.list("One", [films[1]])
        let id: ID<Entry> = try await shelf.test.client.one(
            "select id from api_v1.setting where key = 'catalogs.offered'")("id")
        func offer(_ kinds: String) async throws -> [String] {
            let newest = try #require(try await shelf.test.database.revisions.newest(of: id))
            _ = try await shelf.write.edit(
                id, fields: newest.content.fields.merging(["value": .string(kinds)]) { _, new in new },
                base: newest.number, publishTiming: .now, by: TestDatabase.administrator)
            // What a publication did is there for whoever reads after it: there is nothing to wait for.
            return try await shelf.test.client.query("select title from api_v1.catalog_item order by sort_title")
                .map { try $0("title") }
        }
        #expect(try await offer("book\nsong") == ["B"])
        #expect(try await offer("book\nmovie") == ["A", "B"])
        #expect(try await offer("movies") == ["B"], "a kind is meant by its whole name")
        #expect(try await shelf.isVerified())
    }

    @Test("D34: an item keeps our id when its source is replaced")
    func moved() async throws {
        let shelf = try await Shelf.make()
        let films = try await shelf.films(["A", "B"])
        let list = try await shelf.list("One", [films[0]])
        let move: @Sendable (ID<CatalogItem>, String, String) async throws -> Int64? = { id, source, place in
            try await shelf.test.database.change(
                by: TestDatabase.administrator, AuditEvent("catalog.move", on: "catalog_item")
            ) { try await $0.catalogs.move(id, source: source, externalID: place, by: TestDatabase.administrator) }
        }
        #expect(try await move(films[0], "google_books", "x1") != nil)
        #expect(try await shelf.written() == ["catalog_item update", "list_item update"])
        let row = try await shelf.test.client.one(
            "select id, source, item_id from api_v1.catalog_item where id = \(films[0])")
        #expect(try row("source") as String == "google_books" && row("item_id") as String == "x1")
        // What nobody names makes room; what a list names does not.
        #expect(try await move(films[0], "tmdb", "B") != nil)
        #expect(try await shelf.items(list).map(\.title) == ["B"])
        let other = try await shelf.films(["C"])
        await #expect(throws: Failure.self) { _ = try await move(other[0], "tmdb", "B") }
        #expect(try await shelf.isVerified())
    }
}
