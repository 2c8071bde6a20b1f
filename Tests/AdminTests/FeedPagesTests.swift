// Tests feeds and streams on pages: source categories, offline downloads and playlist checks.
import Domain
import Store
import TestSupport
import Testing

@Suite("Feeds and streams on pages", .databases)
struct FeedPagesTests {
    private static let unsorted = "00000000-0000-7000-8000-000000000013"

    @Test("A7, A30: a feed's source category is chosen in its form and shown in the list")
    func feeds() async throws {
        let visit = try await AdminFixture.make().browser(.publisher, name: "Pat")
        let new = try await visit.get("/entries/new?type=feed")
        #expect(new.holds("Source category") && new.holds("Manual, then newest first"))
        let created = try await visit.fill(
            new, "/entries",
            [
                ("field.title", "Harbours"), ("field.tier", "free"), ("field.source_category", Self.unsorted),
                ("action", "now"),
            ])
        #expect(created.status == 303)
        let article = try await visit.fill(
            try await visit.get("/entries/new?type=article"), "/entries",
            [
                ("field.title", "Ten"), ("field.body", "<p>x</p>"), ("field.categories", Self.unsorted),
                ("action", "now"),
            ])
        #expect(article.status == 303)
        let list = try await visit.get("/feeds")
        #expect(list.holds("Category <span dir=\"auto\">Unsorted</span>"))
        #expect(list.holds("data-column=\"Published items\" role=\"cell\">1</td>"))
        #expect(list.holds("data-column=\"Offline\" role=\"cell\">no files</td>"))
        let feed = try #require(created.entry)
        let page = try await visit.get("/entries/\(feed)")
        #expect(page.holds("Published items: 1"))
        #expect(page.holds("Offline download (premium): no files"))
        let first = "<a href=\"/entries/\(try #require(article.entry))\" dir=\"auto\">Ten</a>"
        #expect(page.holds(first + "</li>"))
        let pinned = try await visit.fill(
            try await visit.get("/entries/\(feed)/revisions"), "/entries/\(feed)/revisions",
            [("field.pins", article.entry?.description ?? ""), ("action", "now")])
        #expect(pinned.status == 303)
        #expect(try await visit.get("/entries/\(feed)").holds(first + " <span class=\"tag\">Pinned</span>"))
    }

    @Test("A38: a stream is verified on its video's page; rejected input is kept")
    func streams() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .publisher, name: "Pat")
        let created = try await visit.fill(
            try await visit.get("/entries/new?type=video"), "/entries",
            [
                ("field.title", "A film"), ("field.hls_url", "https://films.example/a.m3u8"),
                ("field.categories", Self.unsorted), ("action", "draft"),
            ])
        let id = try #require(created.entry)
        let check = "/entries/\(id)/verify-stream"
        let page = try await visit.get("/entries/\(id)")
        #expect(page.holds("The stream hasn't been verified yet."))
        let blank = try await visit.fill(page, check, [("action", "pasted"), ("playlist", "  ")])
        #expect(blank.status == 422 && blank.holds("It begins with #EXTM3U"))
        let bad = try await visit.fill(page, check, [("action", "pasted"), ("playlist", "#EXTM3U\r\nfilm.ts")])
        #expect(bad.status == 303)
        let shown = try await visit.follow(bad)
        #expect(shown.holds("<span class=\"tag bad\">Not a playlist</span>"))
        #expect(shown.holds("line 2: A URL must follow #EXTINF"))
        let refused = try await visit.fill(shown, "/entries/\(id)/approve", [("action", "now")])
        #expect(refused.status == 409 || refused.status == 422)
        #expect(refused.holds("is not an HLS playlist"))
        let good = try await visit.fill(
            shown, check,
            [("action", "pasted"), ("playlist", "#EXTM3U\r\n#EXT-X-TARGETDURATION:4\r\n#EXTINF:4,\r\na.ts\r\n")])
        let again = try await visit.follow(good)
        #expect(again.holds("<span class=\"tag ok\">Valid</span> HLS playlist with 1 segment."))
        let live = try await visit.fill(again, "/entries/\(id)/approve", [("action", "now")])
        #expect(live.status == 303)
        // A curator sees the result, but no button.
        let curator = try await site.browser(.curator, name: "Cleo")
        let seen = try await curator.get("/entries/\(id)")
        #expect(seen.holds("Valid") && !seen.holds(check))
        #expect(try await curator.post(check, [("action", "fetched")]).status == 403)
    }
}
