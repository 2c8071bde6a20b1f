// Tests how the page of a publication counts what is outside the access scope.
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

    @Test(
        "A count that stopped says so",
        arguments: [
            (0, nil), (1, "1 entry"), (200, "200 entries"), (201, "more than 200 entries"),
        ] as [(Int, String?)])
    func text(count: Int, shown: String?) {
        #expect(RollbackPages.shown(others: count) == shown)
    }
}
