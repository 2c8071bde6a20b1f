// Tests that images on other servers, which would tell contributors who reads their submissions, load only when asked for.
import Domain
import Store
import TestSupport
import Testing

@testable import Admin

@Suite("Images on other servers", .databases)
struct ForeignImageTests {
    private static let fields: [String: JSONValue] = [
        "body": .string(
            "<p>Look <img src=\"https://tracker.example/a.gif?who=1&amp;x=2\" alt=\"a &lt;b&gt; dot\"> and "
                + "<img src=\"http://10.0.0.1:8080/admin\"></p>"),
        "image": .object(["url": "https://pictures.example/cover.jpg", "alt": "Harbor"]),
    ]

    private func policy(of page: BrowserPage) -> String { page.headers["Content-Security-Policy"] ?? "" }

    /// Templates are inert: the editor's images are subject to the policy.
    private func withoutTemplates(_ page: BrowserPage) -> String {
        page.html.replacing(#/<template\b[^>]*>.*?<\/template>/#.dotMatchesNewlines(), with: "")
    }

    private func expectHidden(_ page: BrowserPage, showAt url: String? = "?images=show") {
        #expect(page.status == 200, "\(page.url)")
        #expect(!withoutTemplates(page).contains("<img"), "\(page.url)")
        #expect(page.says("Image from tracker.example"), "\(page.url)")
        #expect(page.holds("a &lt;b&gt; dot"), "\(page.url)")
        #expect(page.says("Images from 10.0.0.1:8080, tracker.example are not loaded."), "\(page.url)")
        #expect(page.says("Images from pictures.example are not loaded."), "\(page.url)")
        #expect(page.links.contains { $0.text == "Show images" && $0.url == url }, "\(page.url)")
        #expect(policy(of: page).contains("img-src 'self' https://media.example.org;"), "\(page.url)")
    }

    private func expectShown(_ page: BrowserPage) {
        #expect(page.holds("<img src=\"https://tracker.example/a.gif?who=1&amp;x=2\""), "\(page.url)")
        #expect(page.holds("<img src=\"https://pictures.example/cover.jpg\""), "\(page.url)")
        #expect(!page.says("not loaded"), "\(page.url)")
        #expect(policy(of: page).contains("img-src 'self' https:;"), "\(page.url)")
    }

    @Test("S20: the review page and the comparison load images of other servers only when asked for")
    func review() async throws {
        let site = try await AdminFixture.make()
        let id = try await site.submit(fields: Self.fields)
        let other = try await site.submit("Another one", fields: Self.fields)
        let browser = try await site.browser(.curator)
        for url in ["/queue/\(id)", "/queue/\(id)/similar/\(other)"] {
            expectHidden(try await browser.visit(url))
            expectShown(try await browser.visit("\(url)?images=show"))
        }
        expectHidden(try await browser.visit("/queue/\(id)?q=a%26b"), showAt: "?q=a%26b&images=show")
        // A link on another site asks for nothing.
        expectHidden(
            try await browser.send(
                "GET", "/queue/\(id)?images=show", [], headers: ["Sec-Fetch-Site": "cross-site"]))
    }

    @Test("S20: the pages of entries, status links and previews load images of other servers only when asked for")
    func readers() async throws {
        let site = try await AdminFixture.make()
        let (feed, _) = try await site.feedAndCategory()
        let entry = try await site.create(
            "article",
            Self.fields.merging([
                "title": "A walk", "feeds": .array([.string(feed.description)]),
                "categories": .array(["00000000-0000-7000-8000-000000000013"]),
            ]) { $1 }, .now)
        let editor = try await site.browser(.editor)
        expectHidden(try await editor.visit("/entries/\(entry)"))
        expectShown(try await editor.visit("/entries/\(entry)?images=show"))

        let made = try await editor.post(
            "/previews", [("title", "May"), ("local", "2099-05-01T10:00"), ("zone", "UTC"), ("days", "7")])
        let preview = try #require(made.links.first { $0.text == "Open preview" }).url.split(separator: "/").last ?? ""
        let stranger = try await site.browser(nil)
        expectHidden(try await stranger.visit("/preview/\(preview)/items/\(entry)"))
        expectShown(try await stranger.visit("/preview/\(preview)/items/\(entry)?images=show"))

        let id = try await site.submit(fields: Self.fields)
        let status = "/s/" + (try #require(AdminFixture.statusKey)).text(for: id.bytes, edition: 1)
        expectHidden(try await stranger.visit(status))
        expectShown(try await stranger.visit("\(status)?images=show"))
    }

    @Test("S20: images of the library load, also from its own base URL")
    func library() async throws {
        let site = try await AdminFixture.make()
        let file = "3f/" + String(repeating: "a", count: 62) + ".jpg"
        let urls = [file, "https://media.example.org/\(file)", "https://media.example.org.evil.example/\(file)"]
        let id = try await site.submit(
            fields: ["body": .string(urls.map { "<p><img src=\"\($0)\" alt=\"\"></p>" }.joined())])
        let page = try await site.browser(.curator).visit("/queue/\(id)")
        #expect(page.holds("<img src=\"/media/\(file)\""))
        #expect(page.holds("<img src=\"https://media.example.org/\(file)\""))
        #expect(page.says("Images from media.example.org.evil.example are not loaded."))
    }

    @Test("S20: a URL below that of the library is an image only if it stays there")
    func outsideTheLibrary() async throws {
        let site = try await AdminFixture.make()
        let paths = ["../audit", "%2e%2e/audit", "..%5caudit", "a?b"]
        let images = paths.map { "<p><img src=\"https://media.example.org/\($0)\" alt=\"\"></p>" }
        let id = try await site.submit(fields: ["body": .string(images.joined())])
        let page = try await site.browser(.curator).visit("/queue/\(id)")
        #expect(!withoutTemplates(page).contains("<img src=\"https://media.example.org/"))
        #expect(page.says("Images from media.example.org are not loaded."))
    }

    @Test("S12, S20: no page is loaded as an image or the like, but images and, in frames, submission forms")
    func subresources() async throws {
        let browser = try await AdminFixture.make().browser(.administrator)
        func status(_ path: String, as kind: String) async throws -> Int {
            try await browser.send("GET", path, [], headers: ["Sec-Fetch-Dest": kind]).status
        }
        let pages = AdminSite.endpoints(TestDatabase.packs).filter { $0.method == "GET" }
        #expect(pages.count > 60)
        for page in pages {
            let path = page.pattern.replacing(#/\{[a-z_]+\}/#, with: "1")
            for kind in ["image", "script", "style", "object", "iframe"] {
                let isAllowed = page.flags.contains(.image) || kind == "iframe" && page.flags.contains(.cookieless)
                let isRefused = try await status(path, as: kind) == 403
                #expect(isRefused != isAllowed, "\(path) as \(kind)")
            }
        }
        for kind in ["document", "empty"] { #expect(try await status("/queue", as: kind) == 200) }
    }
}
