// Tests the page of a publication: the order of its entries, and how it counts what is outside the access scope.
import Domain
import Store
import TestSupport
import Testing

@testable import Admin

@Suite("Pages of publications", .databases)
struct PublicationPagesTests {
    @Test("S29: entries outside the access scope are counted up to a limit, and the page says when there are more")
    func others() async throws {
        let fixture = try await AdminFixture.make()
        for number in 1...3 { try await fixture.publish("video", "Film \(number)", publishTiming: .approveOnly) }
        try await fixture.article("A walk", .approveOnly)
        let publisher = try await fixture.test.actor(.publisher, name: "Pia")
        let number = try #require(try await fixture.test.services.publishRelease.waiting(by: publisher).publication)
        func count(_ type: String, limit: Int) async throws -> Int {
            try await AccessScope.$current.withValue(AccessScope(types: [type], groups: [])) {
                try await fixture.test.database.publications.othersCount(of: number, limit: limit)
            }
        }
        for (limit, counted) in [(1, 1), (2, 2), (3, 3), (4, 3)] {
            #expect(try await count("article", limit: limit) == counted, "\(limit)")
        }
        #expect(try await count("video", limit: 4) == 1)
        #expect(try await fixture.test.database.publications.othersCount(of: number, limit: 4) == 0)
    }

    @Test("Entries are listed by type, in the order of their titles")
    func order() async throws {
        let (fixture, visit) = try await AdminFixture.visited(by: .publisher)
        for title in ["b walk", "C walk", "A walk"] { try await fixture.article(title, .approveOnly) }
        try await fixture.publish("video", "A film", publishTiming: .approveOnly)
        let publisher = try await fixture.test.actor(.publisher, name: "Pia")
        let number = try #require(try await fixture.test.services.publishRelease.waiting(by: publisher).publication)
        let html = try await visit.get("/publications/\(number)").html
        let expected = [
            "<h3>Articles</h3>", ">A walk</a>", ">b walk</a>", ">C walk</a>", "<h3>Videos</h3>", ">A film</a>",
        ]
        let found = expected.compactMap { html.firstRange(of: $0)?.lowerBound }
        #expect(found.count == expected.count && found == found.sorted())
    }

    @Test("The entries of a publication are on pages, each once")
    func pages() async throws {
        let fixture = try await AdminFixture.make()
        let publications = fixture.test.database.publications
        let all = try await publications.changes(of: 1, cursor: nil, limit: 1000).items.map(\.entry)
        var (found, cursor) = ([ID<Entry>](), String?.none)
        repeat {
            let page = try await publications.changes(of: 1, cursor: cursor, limit: 7)
            found += page.items.map(\.entry)
            cursor = page.next
        } while cursor != nil
        #expect(all.count > 14 && found == all)
    }

    @Test(
        "A count that stopped says so",
        arguments: [
            (0, nil), (1, "1 entry"), (200, "200 entries"), (201, "more than 200 entries"),
        ] as [(Int, String?)])
    func text(count: Int, shown: String?) {
        #expect(RollbackPages.shown(others: count) == shown)
    }
}
