// Follows the links of the admin through every page, and resolves each link, form and image.
@testable import Admin
import Domain
import Lists
import Operations
import Places
import Routes
import Store
import TestSupport
import Testing

@Suite("Links of the admin", .databases)
struct PageLinksTests {
    /// Pages without a link to them from the pages of a signed-in person: those of a mailed or shared token, responses to a
    /// form, what follows signing in again, and what needs content that this test doesn't create.
    private static let unlinked = Set(
        [
            AdminURL.login, .loginCode, .loginLink, .password, .passwordReset, .invitation, .status, .preview,
            .previewShared, .previewFeed, .previewItem, .bulkAction, .submissionSimilar, .onboardingSet, .releaseItem,
            .releaseSchedule, .image, .imageFile, .webhookDelivery, .ownSession, .submit, .entryChoices, .upload,
            .design,
        ].map(\.rawValue)
    ).union([ListsURL.catalogItem.rawValue, PlacesURL.promotionSchedule.rawValue, RoutesURL.route.rawValue])

    @Test("Every path has an endpoint")
    func endpoints() {
        let patterns = AdminSite.endpoints(TestDatabase.allPacks).map(\.pattern)
        #expect(Set(patterns) == Set(AdminSite.urls(of: TestDatabase.allPacks.all).values))
    }

    @Test("Every page is reached from the home page by links that resolve")
    func crawl() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .administrator)
        _ = try await site.create("feed", ["title": "City guides", "tier": "free", "order": "ranked"])
        let article = try await site.article()
        try await site.change(article, "title", to: "A longer walk")
        for title in ["Ten cafés", "Ten cafes", "A film"] { try await site.submit(title) }
        _ = try await visit.post("/releases", [("title", "Spring")])
        _ = try await visit.post("/entries/\(article)/release", [("release", "1"), ("action", "publish")])
        _ = try await site.test.role("moderator", [.decide])
        _ = try await visit.post("/autosaves", [("form", "/screening"), ("sequence", "1"), ("fields", "[]")])
        _ = try await visit.post("/clients", [("name", "App"), ("scopes", "read")])
        _ = try await visit.post("/submission-forms", [("name", "a"), ("title", "A"), ("type", "article")])
        _ = try await visit.post("/webhooks", [("url", "https://example.org/hook"), ("events", "entry.updated")])
        let app = try await site.test.clientActor([.report])
        let live = try await site.publish("article", "A published walk")
        _ = try await site.test.services.receiveReport(ReportDraft(.id(live), .spam), by: app)

        var visited: Set<String> = []
        var counts: [String: Int] = [:]
        // The history of the entry with two versions, because only a few are visited.
        var pending = ["/", AdminURL.feeds(), AdminURL.entry(article), AdminURL.entryHistory(article)]
        while let url = pending.popLast() {
            // A few pages of each endpoint: lists link to many of the same kind.
            guard visited.insert(url).inserted,
                let endpoint = PageLinks.endpoint(PageLinks.Use(method: "GET", url: url)),
                counts[endpoint.pattern, default: 0] < 5
            else { continue }
            counts[endpoint.pattern, default: 0] += 1
            let page = try await visit.visit(String(url.prefix { $0 != "#" }))
            // Items need the default category, so the plan without it is refused.
            let isRefused = page.status == 422 && endpoint.pattern == AdminURL.entryUnpublish.rawValue
            #expect(page.status == 200 || isRefused, "\(url)")
            pending += PageLinks(page).uses.filter { $0.method == "GET" }.map(\.url)
        }
        let pages = Set(AdminSite.endpoints(TestDatabase.packs).filter { $0.method == "GET" }.map(\.pattern))
        let missing = pages.subtracting(counts.keys).subtracting(Self.unlinked)
        #expect(missing.isEmpty, "\(missing)")
    }
}
