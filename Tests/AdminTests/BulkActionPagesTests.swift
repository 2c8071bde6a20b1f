// Tests bulk actions in the browser: select, confirm, run, view the results and undo.
import Domain
import FoundationEssentials
import HTTP
import Store
import TestSupport
import Testing

@Suite("Bulk actions in the browser", .databases)
struct BulkActionPagesTests {
    @Test("Selected submissions are rejected after a page that says how many, and undone together")
    func selected() async throws {
        let fixture = try await AdminFixture.make()
        let ids = [try await fixture.submit("One"), try await fixture.submit("Two"), try await fixture.submit("Three")]
        let browser = try await fixture.browser(.curator)
        var list = try await browser.visit("/queue?type=article").form("Reject…")
        for id in ids.prefix(2) { try list.tick("id", id.description) }
        let plan = try await browser.press("Reject…", in: list)
        #expect(plan.says("Reject: 2 submissions") && plan.says("One") && plan.says("Two") && !plan.says("Three"))
        #expect(try plan.link("Cancel") == "/queue?type=article")
        #expect(try await fixture.state(ids[0]) == .pending, "nothing has changed yet")

        let unsaid = try await browser.press("Reject 2 submissions", on: plan)
        #expect(unsaid.status == 422 && unsaid.links.contains { $0.url == "#reason" })
        var form = try unsaid.form("Reject 2 submissions")
        try form.fill("reason", "spam")
        let done = try await browser.press("Reject 2 submissions", in: form)
        #expect(done.says("Done: 2 submissions.") && done.holds("<span class=\"tag ok\">Done</span>"))
        #expect(try await fixture.state(ids[0]) == .rejected)
        #expect(try await fixture.state(ids[2]) == .pending)
        // Submitting the same form again changes nothing.
        let twice = try await browser.press("Reject 2 submissions", in: form)
        #expect(twice.status == 409 && twice.says("This bulk action has already run."))

        #expect(try await browser.visit("/queue/\(ids[0])").says("bulk action"))
        let undone = try await browser.press("Undo for all", on: done)
        #expect(undone.says("2 undone") && !undone.hasButton("Undo for all"))
        #expect(undone.links.contains { $0.url == "/queue/\(ids[0])" && $0.text == "One" })
        #expect(undone.holds("<span class=\"tag \">Undone</span>"))
        #expect(!undone.holds("<span class=\"tag ok\">Done</span>"))
        #expect(try await fixture.state(ids[0]) == .pending)
    }

    @Test("What an undo left as it was is listed apart, with the reason")
    func kept() async throws {
        let fixture = try await AdminFixture.make()
        let ids = [try await fixture.submit("One"), try await fixture.submit("Two")]
        let browser = try await fixture.browser(.curator)
        let plan = try await browser.press("Reject…", on: browser.visit("/queue"), ticking: ["all": "1"])
        let done = try await browser.press("Reject 2 submissions", on: plan, filling: ["reason": "spam"])
        _ = try await browser.press("Undo decision", on: browser.visit("/queue/\(ids[0])"))
        #expect(try await fixture.state(ids[0]) == .pending)
        let page = try await browser.press("Undo for all", on: done)
        let kept = try #require(page.main.firstRange(of: "id=\"kept\"")).lowerBound
        let titles = { (part: Substring) in PageReader(String(part)).links.map(\.text) }
        #expect(titles(page.main[kept...]).contains("One") && page.says("Changed in the meantime."))
        #expect(titles(page.main[..<kept]).contains("Two") && !titles(page.main[..<kept]).contains("One"))
    }

    @Test("All matching submissions are approved into a feed at once")
    func all() async throws {
        let fixture = try await AdminFixture.make()
        let feed = try await fixture.feed()
        for number in 1...30 { try await fixture.submit("Harbour \(number)") }
        try await fixture.submit("Another thing")
        let browser = try await fixture.browser(.curator)
        let plan = try await browser.press("Approve…", on: browser.visit("/queue?q=harbour"), ticking: ["all": "1"])
        #expect(plan.says("Approve: 30 submissions"))
        let done = try await browser.press(
            "Approve 30 submissions", on: plan, ticking: ["field.feeds": feed.description, "publish": "now"])
        #expect(done.says("Done: 30 submissions.") && done.says("publication"))
        #expect(try await fixture.rows("feed_item") == 30)
        #expect(try await fixture.test.database.queue.count(QueueFilter()) == 1)
    }

    @Test("An empty selection, an unknown action and someone else's plan are rejected with a message")
    func refused() async throws {
        let fixture = try await AdminFixture.make()
        let id = try await fixture.submit("One")
        let ann = try await fixture.browser(.curator, name: "Ann")
        let page = try await ann.visit("/queue")
        let nothing = try await ann.press("Snooze…", on: page)
        #expect(nothing.status == 422 && nothing.says("Select at least one submission."))
        let csrf = try #require(try page.form("Snooze…").value("csrf"))
        let strange = try await ann.send("POST", "/bulk-actions", [("csrf", csrf), ("action", "burn"), ("all", "1")])
        #expect(strange.status == 422)
        var form = try page.form("Snooze…")
        try form.tick("id", id.description)
        let plan = try await ann.press("Snooze…", in: form)
        let bob = try await fixture.browser(.curator, name: "Bob")
        let seen = try await bob.visit(plan.url)
        let stolen = try await bob.press("Snooze 1 submission", on: seen)
        #expect(stolen.status == 403 && stolen.says("Only Ann may run this bulk action."))
        let past = try await ann.press(
            "Snooze 1 submission", on: plan, filling: ["until": "at", "local": "2001-01-01T10:00"])
        #expect(past.status == 422 && past.says("This time has passed") && past.isTimeMarked)
        #expect(try past.form("Snooze 1 submission").value("local") == "2001-01-01T10:00")
        let missing = try await ann.visit("/bulk-actions/00000000-0000-7000-8000-000000000001")
        #expect(missing.status == 404)
    }

    @Test(
        "An assignee, a comment and a priority that are refused have their error at the field, too",
        arguments: [
            ("Assign", "Assign 1 submission", "assignee", "Choose an assignee."),
            ("Assign", "Assign 1 submission", "text", "At most 2"),
            ("Set priority", "Set priority of 1 submission", "priority", "Choose a priority."),
        ])
    func fieldErrors(label: String, button: String, field: String, message: String) async throws {
        let fixture = try await AdminFixture.make()
        try await fixture.submit("One")
        let browser = try await fixture.browser(.curator)
        var list = try await browser.visit("/queue").form("\(label)…")
        try list.tick("all", "1")
        var form = try await browser.press("\(label)…", in: list).form(button)
        try form.fill(field, String(repeating: "x", count: 2001))
        let page = try await browser.press(button, in: form)
        #expect(page.status == 422 && page.links.contains { $0.url == "#\(field)" && $0.text.contains(message) })
        #expect(page.holds("<p class=\"error\" id=\"\(field)-error\">\(message)"))
        let hint = field == "text" ? "text-hint " : ""
        #expect(page.holds("aria-describedby=\"\(hint)\(field)-error\" aria-invalid=\"true\""))
    }

    @Test(
        "Submissions claimed by others are counted beforehand and skipped with the reason",
        arguments: ["assign", "update"])
    func held(_ action: String) async throws {
        let fixture = try await AdminFixture.make()
        let ids = [try await fixture.submit("One"), try await fixture.submit("Two")]
        let ann = try await fixture.browser(.curator, name: "Ann")
        let bob = try await fixture.browser(.curator, name: "Bob")
        _ = try await bob.press("Claim", on: try await bob.visit("/queue/\(ids[0])"))
        let label = action == "assign" ? "Assign" : "Set priority"
        let plan = try await ann.press("\(label)…", on: ann.visit("/queue"), ticking: ["all": "1"])
        #expect(plan.says("1 claimed by others"))
        let button = action == "assign" ? "Assign 2 submissions" : "Set priority of 2 submissions"
        var form = try plan.form(button)
        try form.fill(action == "assign" ? "assignee" : "priority", action == "assign" ? "role:editor" : "urgent")
        let done = try await ann.press(button, in: form)
        #expect(done.says("Done: 1 submission, 1 skipped.") && done.says("Claimed or just decided by someone else."))
        #expect(try await ann.visit("/queue").says(action == "assign" ? "Assigned to editors" : "Urgent"))
    }
}
