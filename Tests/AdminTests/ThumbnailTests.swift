// Tests the small images of lists.
import Domain
import FoundationEssentials
import HTTP
import Operations
import Store
import TestSupport
import Testing

@Suite("Thumbnails", .databases)
struct ThumbnailTests {
    private static let shown = "class=\"row-thumbnail\" src=\"/media/"

    private func image(_ fixture: AdminFixture) async throws -> JSONValue {
        let media = try await fixture.test.services.ingestImage(
            SmallImage.bytes, name: "line.png", alt: "A gray line", by: TestDatabase.administrator
        ).media
        return .object(["media": .string(media.id.description)])
    }

    @Test("Lists, search results and pickers show the images of entries")
    func lists() async throws {
        let fixture = try await AdminFixture.make()
        let ann = try await fixture.test.actor(.administrator, name: "Ann")
        let image = try await self.image(fixture)
        let feed = try await fixture.publish("feed", "Harbors", ["order": "ranked", "image": image])
        let article = try await fixture.publish(
            "article", "Illustrated walk", ["image": image, "feeds": .entries([feed])])
        let later = try WallTime(local: "2099-05-01T10:00", zone: "UTC")
        try await fixture.edit(article, ["summary": "Newer."], publishTiming: .at(later), by: ann)
        let browser = fixture.browser(of: ann)
        for url in [
            "/", "/search?q=illustrated", "/schedule", "/feeds", "/feeds/\(feed)/order", "/entries?type=article",
        ] {
            #expect(try await browser.visit(url).html.contains(Self.shown), "\(url)")
        }
        for url in ["/search?q=illustrated", "/entries/choices?types=article&q=ill"] {
            let found = try await browser.send("GET", url, [], headers: ["Accept": "application/json"])
            #expect(found.status == 200 && found.html.contains("\"thumbnail\":{"), "\(url)")
        }
        var list = try await browser.visit("/entries?type=article").form("Unpublish…")
        try list.tick("id", article.description)
        #expect(try await browser.press("Unpublish…", in: list).html.contains(Self.shown))
    }

    @Test("The queue shows images of the library, and only a sign for those of other sites, as do decided submissions")
    func queue() async throws {
        let fixture = try await AdminFixture.make()
        let sign = "aria-label=\"Image on another site\""
        try await fixture.submit("Without")
        try await fixture.submit("Illustrated", fields: ["image": try await image(fixture)])
        let browser = try await fixture.browser(.curator)
        let first = try await browser.visit("/queue")
        #expect(first.html.split(separator: Self.shown).count == 2 && !first.html.contains(sign))
        let foreign = try await fixture.submit("Elsewhere", fields: ["image": "https://pictures.example/1.jpg"])
        let second = try await browser.visit("/queue")
        #expect(second.html.split(separator: sign).count == 2 && !second.html.contains("pictures.example"))
        let curator = try await fixture.test.actor(.curator, name: "Bea")
        _ = try await fixture.test.services.decideSubmission(
            foreign, Decision.Draft(verdict: .reject, reason: .spam), version: 0, by: curator)
        #expect(try await browser.visit("/queue/decided").html.split(separator: sign).count == 2)
    }

    @Test("A preview shows the images of its date, not those of newer versions")
    func previews() async throws {
        let fixture = try await AdminFixture.make()
        let image = try await self.image(fixture)
        let feed = try await fixture.feed()
        let with = try await fixture.publish("article", "With", ["image": image, "feeds": .entries([feed])])
        let without = try await fixture.publish("article", "Without", ["feeds": .entries([feed])])
        try await fixture.edit(with, ["image": .null], publishTiming: .draft)
        try await fixture.edit(without, ["image": image], publishTiming: .draft)
        let made = try await fixture.browser(.editor).post(
            "/previews", [("title", "May"), ("local", "2099-05-01T10:00"), ("zone", "UTC"), ("days", "7")])
        let link = try #require(made.html.firstMatch(of: /\/preview\/[\w-]+/)?.0)
        let page = try await fixture.stranger.visit("\(link)/feeds/\(feed)")
        let lines = page.html.split(separator: "<li>").filter { $0.contains("/items/") }
        #expect(lines.count == 2)
        #expect(lines.filter { $0.contains(Self.shown) }.allSatisfy { $0.contains(">With</a>") })
        #expect(lines.contains { $0.contains(Self.shown) })
    }
}
