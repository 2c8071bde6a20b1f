// Tests that the pages of the queue, of submissions and of decisions have only forms that a role may send.
@testable import Admin
import Domain
import Operations
import TestSupport
import Testing

@Suite("Forms by role", .databases)
struct RoleFormsTests {
    @Test("Every form of the queue, of a submission and of the decided ones is open to the role that sees it")
    func forms() async throws {
        let fixture = try await AdminFixture.make()
        _ = try await fixture.feed()
        _ = try await fixture.feed("Long reads", isOpen: false)
        let pat = try await fixture.test.actor(.publisher, name: "Pat")
        let pending = try await fixture.submit("Pending", email: "reader@example.org")
        let claimed = try await fixture.submit("Claimed")
        try await fixture.test.services.claimSubmission(claimed, by: pat)
        var pages = ["/queue", "/queue?type=article", "/queue/decided", "/queue/\(pending)", "/queue/\(claimed)"]
        for draft in [
            Decision.Draft(verdict: .reject, reason: .spam), Decision.Draft(verdict: .approve, publishTiming: .now),
            Decision.Draft(verdict: .requestChanges, message: "More, please."),
        ] {
            let id = try await fixture.submit("Decided: \(draft.verdict.rawValue)")
            _ = try await fixture.test.services.decideSubmission(id, draft, version: 0, by: pat)
            pages.append("/queue/\(id)")
        }
        let reader = try await fixture.test.role("reader", [.readQueue])
        for role in Role.presets + [reader] {
            let actor = try await fixture.test.actor(role, name: role.label, from: "192.0.2.7")
            let browser = fixture.browser(of: actor)
            for url in pages {
                let page = try await browser.visit(url)
                #expect(page.status == 200)
                for form in page.forms where form.method == "POST" {
                    let use = PageLinks.Use(method: "POST", url: form.action)
                    let endpoint = try #require(PageLinks.endpoint(use))
                    #expect(endpoint.isOpen(to: actor), "\(role.name) sees a form to \(form.action) at \(url)")
                }
            }
        }

        let browser = try await fixture.browser(reader, name: "Ray")
        let page = try await browser.visit("/queue/\(claimed)")
        #expect(page.says("Your role (Reader) can't decide submissions.") && page.says("Claimed by Pat"))
        for button in ["Claim", "Take over", "Reject", "Add note", "Assign", "Undo decision"] {
            #expect(!page.hasButton(button), "\(button)")
        }
        #expect(page.form(id: "approve").isEmpty)
        let list = try await browser.visit("/queue")
        #expect(list.form(id: "bulk-action").isEmpty && list.says("Pending") && !list.hasButton("Reject…"))
        #expect(try await browser.post("/queue/\(pending)/claim", [("action", "claim")]).status == 403)
    }
}
