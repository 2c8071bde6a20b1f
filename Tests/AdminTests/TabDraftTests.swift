// Tests that forms of people without an account are shown again with what their tab has kept, and that the tab learns what was
// received.
@testable import Admin
@testable import Operations
import Domain
import FoundationEssentials
import HTTP
import Platform
import Store
import TestSupport
import Testing

@Suite("Text that is kept in the tab", .databases)
struct TabDraftTests {
    private func link(_ id: ID<Submission>) throws -> String {
        "/s/" + (try #require(AdminFixture.statusKey)).text(for: id.bytes, edition: 1)
    }

    /// Whether the page keeps what is typed into a form, and shows nothing newer.
    private func keeps(_ page: BrowserPage, _ key: String) -> Bool {
        page.holds("data-tab-draft=\"\(key)\" hidden") && page.holds("/static/tab-draft.js")
            && !page.says("Restored your unsent text")
    }

    @Test("A submission form: restoring sends and stores nothing; the response says what was received")
    func submission() async throws {
        let fixture = try await AdminFixture.make()
        var definition = FormDefinition(name: "stories", type: "article", title: "Your stories")
        definition.isOn = true
        _ = try await fixture.test.services.manageSubmissionForm.create(definition, by: TestDatabase.administrator)
        let visitor = fixture.stranger
        let url = "/submit/stories"
        let page = try await visitor.visit(url)
        #expect(keeps(page, "submission stories"))
        let typed = [("field.title", "Half a story"), ("contributor", "Mo")]
        let restored = try await visitor.fill(page, url, typed + [(TabDraft.field, "1")])
        #expect(restored.status == 200 && restored.says("Restored your unsent text"))
        #expect(restored.holds("data-tab-draft=\"submission stories\" data-typed"))
        let form = try restored.form("Submit")
        for (name, value) in typed { #expect(form.value(name) == value) }
        #expect(form.value(TabDraft.field) == nil)
        #expect(try restored.link("Discard") == url)
        #expect(try await fixture.test.client.query("select from curation.submission").isEmpty)
        #expect(try await fixture.test.client.query("select from ops.autosave").isEmpty)

        let row = try #require(try await fixture.test.database.submissionForms.find("stories"))
        let key = try #require(AdminFixture.statusKey)
        let pass = FormPass(row.id, key: key, openedAt: Date(timeIntervalSinceNow: -60)).text
        let sent = try await visitor.send(
            "POST", url, [("csrf", pass), ("website", ""), ("field.body", "<p>By the harbor.</p>")] + typed)
        #expect(sent.status == 201 && sent.holds("data-tab-draft-sent=\"submission stories\""))
    }

    @Test("A status page: resubmission and appeal are restored without being sent, by ID instead of token")
    func status() async throws {
        let fixture = try await AdminFixture.make()
        let ann = try await fixture.test.actor(.publisher, name: "Ann")
        let visitor = fixture.stranger
        let id = try await fixture.submit("Ten cafés")
        let url = try link(id)
        _ = try await fixture.test.services.decideSubmission(
            id, Decision.Draft(verdict: .requestChanges, message: "Name them."), version: nil, by: ann)
        let page = try await visitor.visit(url)
        #expect(keeps(page, "resubmission \(id)") && !page.holds("data-tab-draft-sent"))
        let restored = try await visitor.fill(
            page, "\(url)/resubmit", [("field.title", "Half a title"), (TabDraft.field, "1")])
        #expect(restored.status == 200 && restored.says("Restored your unsent text"))
        #expect(try restored.form("Resubmit").value("field.title") == "Half a title")
        #expect(try await fixture.state(id) == .changesRequested)
        let sent = try await visitor.press("Resubmit", in: try restored.form("Resubmit"))
        #expect(sent.says("Your changes were submitted."))
        #expect(sent.holds("data-tab-draft-sent=\"resubmission \(id)\""))
        #expect(try await fixture.test.database.submissions.find(id)?.title == "Half a title")

        _ = try await fixture.test.services.decideSubmission(
            id, Decision.Draft(verdict: .reject, reason: .offTopic), version: nil, by: ann)
        let rejected = try await visitor.visit(url)
        #expect(keeps(rejected, "appeal \(id)"))
        let appeal = try await visitor.fill(
            rejected, "\(url)/appeal", [("text", "Half an appeal"), (TabDraft.field, "1")])
        #expect(appeal.status == 200 && appeal.says("Restored your unsent text"))
        #expect(try appeal.form("Send appeal").value("text") == "Half an appeal")
        #expect(try await fixture.state(id) == .rejected)
    }

    @Test("A preview: an approval is restored without being given")
    func preview() async throws {
        let fixture = try await AdminFixture.make()
        let created = try await fixture.test.services.managePreview.create(
            title: "May", at: WallTime(local: "2099-05-01T10:00", zone: "UTC"), days: 7,
            by: try await fixture.test.actor(.editor))
        let url = AdminURL.preview(created.token.text)
        let visitor = fixture.stranger
        let page = try await visitor.visit(url)
        #expect(keeps(page, "preview \(created.id)"))
        let typed = [("name", "Ada"), ("note", "Half a comment")]
        let restored = try await visitor.fill(page, "\(url)/approve", typed + [(TabDraft.field, "1")])
        #expect(restored.status == 200 && restored.says("Restored your unsent text"))
        let form = try restored.form("Approve preview")
        for (name, value) in typed { #expect(form.value(name) == value) }
        #expect(try await fixture.test.database.previews.approvals(of: [created.id]).isEmpty)
        let given = try await visitor.press("Approve preview", in: form)
        #expect(given.says("Thank you.") && given.holds("data-tab-draft-sent=\"preview \(created.id)\""))
    }
}
