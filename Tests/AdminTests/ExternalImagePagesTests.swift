// Tests the page of external images: reasons of failures for the team, and retrying by editors.
import Domain
import Store
import TestSupport
import Testing

@Suite("External image pages", .databases)
struct ExternalImagePagesTests {
    @Test("A30, S15: the team sees what was not fetched and why; editors fetch it again, curators can't")
    func failures() async throws {
        let fixture = try await AdminFixture.make()
        try await fixture.test.client.execute(
            """
            insert into ops.external_image (url, state, last_error) values
            ('https://a.example/one.png', 'failed', 'The server returned status 404.'),
            ('https://a.example/two.png', 'external', 'media.fetch_except excludes a.example.'),
            ('https://a.example/"><script>', 'known', null)
            """)
        let editor = try await fixture.browser(.editor)
        var page = try await editor.visit("/external-images?state=failed")
        #expect(page.says("The server returned status 404.") && page.says("https://a.example/one.png"))
        #expect(!page.says("two.png"))
        let image = try #require(
            try await fixture.test.database.externalImages.page(state: "failed", cursor: nil, limit: 2).items.first)
        // The button's label names the image for screen readers.
        let retry = page.html.contains("action=\"/external-images/\(image.id)/retry\"")
        #expect(retry)
        let curator = try await fixture.browser(.curator)
        #expect(!(try await curator.visit("/external-images").hasButton("Retry")))
        #expect(try await editor.visit("/external-images?state=odd").status == 422)
        page = try await editor.press("Retry", on: page)
        #expect(page.says("The image will be fetched again.") && page.says("Waiting"))
        #expect(try await fixture.test.database.externalImages.find(image.id)?.state == "waiting")
        #expect(try await fixture.test.database.externalImages.find(image.id)?.attempts == 0)
    }
}
