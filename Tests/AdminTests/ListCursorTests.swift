// Tests that all lists read their cursor the same way: an empty one is the first page, a wrong one an error.
import Domain
import TestSupport
import Testing

@testable import Admin

@Suite("Cursors of lists", .databases)
struct ListCursorTests {
    @Test("An empty cursor is the first page of every list; one that no list wrote is refused")
    func cursors() async throws {
        let site = try await AdminFixture.make()
        let entry = try await site.article()
        let release = try await site.test.services.composeRelease.create(
            title: "Spring", by: TestDatabase.administrator)
        let visit = try await site.browser(.administrator)
        let lists = [
            AdminURL.accounts(), AdminURL.contributors(), AdminURL.decided(), AdminURL.entries(),
            AdminURL.entryHistory(entry), AdminURL.externalImages(), AdminURL.media(), AdminURL.mentions(),
            AdminURL.publications(), AdminURL.publication(1), AdminURL.release(release), AdminURL.reports(),
            AdminURL.tasks(),
        ]
        for url in lists {
            #expect(try await visit.get(url + "?cursor=").status == 200, "\(url)")
            #expect(try await visit.get(url + "?cursor=%20").status == 200, "\(url)")
            #expect(try await visit.get(url + "?cursor=x").status == 422, "\(url)")
        }
        #expect(try await visit.get(AdminURL.queue() + "?after=").status == 200)
    }
}
