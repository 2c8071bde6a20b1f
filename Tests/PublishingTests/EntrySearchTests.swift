// The search among entries: by the index of titles for words with few hits, along all entries for words that many have.
import Domain
import Store
import TestSupport
import Testing

@Suite("The search among entries", .databases)
struct EntrySearchTests {
    @Test("Words that 10,000 versions have, and that more have, are found newest first, page by page")
    func fewAndMany() async throws {
        let world = try await FeedWorld.make()
        let ferry = try await world.publish("article", "A ferry")
        let quay = try await world.publish("article", "A quay")
        // An older version that had the word in title and slug is no hit.
        try await world.edit(try await world.publish("article", "Once a quay"), ["title": "A pier", "slug": "a-pier"])
        let owner = world.test.superuser()
        try await world.multiply(ferry, by: 9999, owner)
        for hits in [10_000, 10_001] {
            var filter = EntryFilter()
            filter.query = "ferry"
            let entries = world.test.database.entries
            let first = try await entries.page(filter, cursor: nil, limit: 50)
            let second = try await entries.page(filter, cursor: first.next, limit: 50)
            let expected = try await owner.query(
                """
                select e.id from curation.entry e join curation.live l on l.entry_id = e.id
                join curation.revision r on r.id = l.revision_id
                where r.content ->> 'title' = 'A ferry' order by e.id desc
                """, deadline: .seconds(60)
            ).map { try $0("id") as ID<Entry> }
            #expect(expected.count == hits)
            #expect((first.items + second.items).map(\.id) == Array(expected.prefix(100)))
            filter.query = "quay"
            #expect(try await entries.page(filter, cursor: nil, limit: 50).items.map(\.id) == [quay])
            filter.query = "ferry quay"
            #expect(try await entries.page(filter, cursor: nil, limit: 50).items.isEmpty)
            if hits == 10_000 { try await world.multiply(ferry, by: 1, owner) }
        }
    }
}
