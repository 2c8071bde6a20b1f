// Tests that the forms of the admin are shown again with what was typed into them, and that saving one removes its text.
import Domain
import FoundationEssentials
import Operations
import Postgres
import Store
import TestSupport
import Testing

@testable import Admin

@Suite("Forms that keep what is typed", .databases)
struct AutosavedFormsTests {
    /// The form with this action that is saved while somebody types; `mark` is one of its fields.
    private func form(_ page: BrowserPage, _ action: String, _ mark: (String, String)? = nil) throws -> PageForm {
        try #require(
            page.forms.first { form in
                form.action == action && form.value("autosave") != nil
                    && (mark.map { form.value($0.0) == $0.1 } ?? true)
            }, "\(page.url) has no form for \(action)")
    }

    /// Types into a form as the page's script saves it, opens the form and expects the text; then submits it, with a button.
    private func expectKept(
        _ visit: Browser, _ url: String, _ action: String, _ typed: [(String, String)], mark: (String, String)? = nil,
        pressing button: [(String, String)] = []
    ) async throws {
        let fields = try form(try await visit.visit(url), action, mark).fields(pressing: nil)
        let opening = try #require(fields.first { $0.0 == "autosave" }?.1)
        let names = Set(typed.map(\.0)).union(["csrf", "once"])
        let sent = fields.filter { !names.contains($0.0) && !$0.0.hasPrefix("autosave") } + typed
        let json = JSONValue.array(sent.map { .array([.string($0.0), .string($0.1)]) }).canonicalText
        let saved = try await visit.post(
            "/autosaves", [("form", opening), ("title", "Form"), ("tab", "one"), ("sequence", "1"), ("fields", json)])
        #expect(saved.status == 200)

        let restored = try await visit.visit(String(opening.prefix { $0 != "#" }))
        #expect(restored.status == 200 && restored.says("Restored your unsaved text"), "\(opening)")
        let shown = try form(restored, action, mark)
        for (name, value) in typed { #expect(shown.value(name) == value, "\(opening) \(name)") }
        let done = try await visit.post(action, try shown.fields(pressing: nil) + button)
        #expect(done.status == 303, "\(opening) \(done.text.prefix(500))")
        #expect(try await visit.visit("/autosaves").says("No unsaved text."), "\(opening)")
    }

    @Test("Texts, settings and submission forms")
    func management() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .administrator)
        func id(_ statement: SQL) async throws -> ID<Entry> { try await site.test.client.one(statement)("id") }
        let offered = try await id("select id from api_v1.setting where key = 'locales.offered'")
        try await site.change(offered, "value", to: "en\nde", .now)
        let days = try await id("select id from api_v1.setting where key = 'premium.trial_days'")
        try await expectKept(
            visit, "/settings", "/settings", [("value.\(days)", "21")], mark: ("was.\(days)", "7"),
            pressing: [("action", "now")])
        let text = try await id("select id from api_v1.text where key = 'mail.invitation'")
        try await expectKept(
            visit, "/texts?locale=de", "/texts/\(text)/de?locale=de", [("value", "Hallo {name}: {link}")],
            pressing: [("action", "now")])
        let row = try await site.test.client.one(
            "select value from api_v1.text where id = \(text.uuid) and locale = 'de'")
        #expect(try row("value") == "Hallo {name}: {link}")

        _ = try await visit.post("/submission-forms", [("name", "stories"), ("title", "Stories"), ("type", "article")])
        try await expectKept(
            visit, "/submission-forms/stories", "/submission-forms/stories",
            [("introduction", "Tell us about the harbor"), ("category", "Walks")])
    }

    @Test("A group of settings shows the values that were typed, and the others as they are stored by now")
    func group() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .publisher)
        func id(_ key: String) async throws -> ID<Entry> {
            try await site.test.client.one("select id from api_v1.setting where key = \(key)")("id")
        }
        let (days, products) = (try await id("premium.trial_days"), try await id("premium.product_ids"))
        let old = try form(try await visit.visit("/settings"), "/settings", ("was.\(days)", "7"))
        let typed = try old.fields(pressing: nil).filter { !$0.0.hasPrefix("autosave") && $0.0 != "csrf" }.map {
            JSONValue.array([.string($0.0), .string($0.0 == "value.\(days)" ? "21" : $0.1)])
        }
        let opening = try #require(old.value("autosave"))
        _ = try await visit.post(
            "/autosaves",
            [
                ("form", opening), ("tab", "one"), ("sequence", "1"),
                ("fields", JSONValue.array(typed).canonicalText),
            ])
        try await site.change(products, "value", to: "premium.weekly", .now)
        let restored = try form(try await visit.visit("/settings"), "/settings", ("was.\(days)", "7"))
        #expect(restored.value("value.\(days)") == "21")
        #expect(restored.value("value.\(products)") == "premium.weekly")
        #expect(restored.value("was.\(products)") == "premium.weekly")
    }

    @Test("A text that somebody else changed meanwhile is compared when it is saved")
    func stale() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .publisher)
        let id: ID<Entry> = try await site.test.client.one(
            "select id from api_v1.setting where key = 'premium.trial_days'")("id")
        let (was, value) = ("was.\(id)", "value.\(id)")
        let old = try form(try await visit.visit("/settings"), "/settings", (was, "7"))
        let opening = try #require(old.value("autosave"))
        let typed = JSONValue.array([
            .array([.string(was), "7"]), .array([.string(value), "21"]),
        ])
        _ = try await visit.post(
            "/autosaves",
            [("form", opening), ("tab", "one"), ("sequence", "1"), ("fields", typed.canonicalText)])
        try await site.change(id, "value", to: "14", .now)
        let restored = try form(try await visit.visit("/settings"), "/settings", (was, "7"))
        #expect(restored.value(value) == "21")
        let fields = try restored.fields(pressing: nil) + [("action", "now")]
        let compared = try await visit.post("/settings", fields)
        #expect(compared.status == 409 && compared.says("Changed by") && compared.says("14") && compared.says("21"))
        let saved = try await visit.press("Replace with yours", on: compared)
        #expect(saved.status == 200)
        #expect(try await visit.visit("/autosaves").says("No unsaved text."))
    }

    @Test("Decisions on reports, statuses of contributors, bulk actions and snoozing")
    func moderation() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .publisher)
        let app = try await site.test.clientActor([.report])
        _ = try await site.test.services.receiveReport(ReportDraft(.id(try await site.article()), .spam), by: app)
        let report: ID<ReportCase> = try await site.test.client.one("select id from curation.report_case")("id")
        try await expectKept(
            visit, "/reports/\(report)", "/reports/\(report)/decision", [("note", "Half a note")],
            pressing: [("outcome", "no_action")])

        let ids = [try await site.submit("One"), try await site.submit("Two"), try await site.submit("Three")]
        let contributor: ID<Contributor> = try await site.test.client.one("select id from curation.contributor")("id")
        try await expectKept(
            visit, "/contributors/\(contributor)/status", "/contributors/\(contributor)/status",
            [("reason", "Half a reason")], mark: ("status", "trusted"))
        try await expectKept(
            visit, "/contributors/\(contributor)/notes", "/contributors/\(contributor)/notes",
            [("text", "Half a note")])
        let page = "/queue/\(ids[0])"
        try await expectKept(visit, page, "\(page)/snooze", [("text", "Half a comment"), ("until", "72")])
        try await expectKept(visit, page, "\(page)/assign", [("text", "For the weekend"), ("assignee", "role:editor")])

        var list = try await visit.visit("/queue?type=article").form("Reject…")
        for id in ids.dropFirst() { try list.tick("id", id.description) }
        let plan = try await visit.press("Reject…", in: list)
        try await expectKept(
            visit, plan.url, "\(plan.url)/run", [("message", "Half a message"), ("reason", "spam")])
        #expect(try await site.state(ids[1]) == .rejected)
    }

    @Test("Images and their alternative texts, also those of another page; a pasted playlist")
    func library() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .publisher)
        let image = try await site.test.services.ingestImage(
            SmallImage.bytes, name: "line.png", alt: "", by: TestDatabase.administrator
        ).media.id
        try await expectKept(
            visit, "/media?state=undescribed", "/media/descriptions", [("alt.\(image)", "Half a line")])
        try await expectKept(visit, "/media/\(image)", "/media/\(image)", [("alt", "A line"), ("tags", "harbor")])

        let video = try await site.publish(
            "video", "A film", ["hls_url": "https://films.example/a.m3u8"], publishTiming: .draft)
        try await expectKept(
            visit, "/entries/\(video)", "/entries/\(video)/verify-stream", [("playlist", "#EXTM3U half")],
            pressing: [("action", "pasted")])
    }

    @Test("A form that is refused leaves what was typed into the other forms of its page")
    func others() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .editor)
        let page = "/queue/\(try await site.submit("Ten cafés"))"
        let typed = JSONValue.array([
            .array(["version", "0"]), .array(["reason", "off_topic"]), .array(["message", "Half a reason"]),
        ])
        _ = try await visit.post(
            "/autosaves",
            [("form", page + "#reject"), ("tab", "one"), ("sequence", "1"), ("fields", typed.canonicalText)])
        let note = try form(try await visit.visit(page), "\(page)/notes")
        let refused = try await visit.post("\(page)/notes", try note.fields(pressing: nil))
        #expect(refused.status == 422)
        let reject = try form(refused, "\(page)/decision", ("message", "Half a reason"))
        #expect(reject.value("reason") == "off_topic")
        let decision = try await visit.post(
            "\(page)/decision", try note.fields(pressing: nil) + [("version", "0"), ("verdict", "request_changes")])
        #expect(decision.status == 422 && decision.holds("Half a reason"))
    }
}
