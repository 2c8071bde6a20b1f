// Tests the texts that contributors write without a script, in the form of their status page.
import Domain
import Operations
import Store
import TestSupport
import Testing

@testable import Admin

@Suite("Texts of contributors", .databases)
struct ContributorTextsTests {
    private func link(_ id: ID<Submission>) throws -> String {
        "/s/" + (try #require(AdminFixture.statusKey)).text(for: id.bytes, edition: 1)
    }

    private func requestChanges(_ id: ID<Submission>, by actor: Actor, _ fixture: AdminFixture) async throws {
        let draft = Decision.Draft(verdict: .requestChanges, message: "Say more, please.")
        _ = try await fixture.test.services.decideSubmission(id, draft, version: nil, by: actor)
    }

    /// The text and its format.
    private func typed(_ form: PageForm) throws -> [String] {
        try form.fields(pressing: nil).filter { $0.0 == "field.body" }.map(\.1)
    }

    @Test("What CommonMark can't say stays as it is until it is written again; what was written comes back as it was")
    func textsWithoutScript() async throws {
        let fixture = try await AdminFixture.make()
        let ann = try await fixture.test.actor(.curator, name: "Ann")
        let id = try await fixture.submit(
            fields: ["body": "<table><tbody><tr><td>x</td></tr></tbody></table>"])
        let stored = try #require(try await fixture.test.database.submissions.find(id)).fields["body"]
        let visitor = fixture.stranger
        try await requestChanges(id, by: ann, fixture)
        var form = try await visitor.visit(try link(id)).form("Resubmit")
        #expect(try typed(form) == ["", "kept"])
        try form.fill("field.title", "Typed")
        let previewed = try await visitor.press("Preview", in: form)
        #expect(previewed.status == 200 && previewed.html.contains("autofocus aria-label=\"Preview: Text\""))
        #expect(try previewed.form("Resubmit").value("field.title") == "Typed")
        #expect(try typed(previewed.form("Resubmit")) == ["", "kept"])
        #expect(try await fixture.state(id) == .changesRequested, "a preview sends nothing")
        #expect(try await visitor.press("Resubmit", in: form).says("Your changes were submitted."))
        #expect(try await fixture.test.database.submissions.find(id)?.fields["body"] == stored)

        try await requestChanges(id, by: ann, fixture)
        form = try await visitor.visit(try link(id)).form("Resubmit")
        try form.fill("field.body", "A *list*:\n\n* one")
        #expect(try await visitor.press("Resubmit", in: form).says("Your changes were submitted."))
        let written = try await fixture.test.database.submissions.find(id)?.fields["body"]?.stringValue
        #expect(written?.contains("<em>list</em>") == true)
        try await requestChanges(id, by: ann, fixture)
        form = try await visitor.visit(try link(id)).form("Resubmit")
        #expect(form.value("field.body") == "A *list*:\n\n* one")
    }

    @Test("The link dialog says to the team why it finds no entries")
    func links() async throws {
        let fixture = try await AdminFixture.make()
        let reason = "To search for published entries here"
        #expect(try await fixture.browser(.curator).visit("/entries/new?type=article").html.contains(reason))
        let id = try await fixture.submit()
        try await requestChanges(id, by: try await fixture.test.actor(.curator, name: "Ann"), fixture)
        let page = try await fixture.stranger.visit(try link(id))
        #expect(page.hasButton("Resubmit") && !page.html.contains(reason))
    }
}
