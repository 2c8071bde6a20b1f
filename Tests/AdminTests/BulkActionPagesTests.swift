// Tests actions on many from the list: select, confirm, do, see what became of each, undo.
import Domain
import FoundationEssentials
import HTTP
import Store
import TestSupport
import Testing

@Suite("Actions on many, in the browser", .databases)
struct BulkActionPagesTests {
    @Test("Those that are selected are rejected after a page that says how many, and undone as one")
    func selected() async throws {
        let desk = try await Desk.make()
        let ids = [try await desk.submit("One"), try await desk.submit("Two"), try await desk.submit("Three")]
        let browser = try await desk.browser(.curator)
        var list = try await browser.visit("/queue?type=article").form("Reject…")
        for id in ids.prefix(2) { try list.tick("id", id.description) }
        let plan = try await browser.press("Reject…", in: list)
        #expect(plan.says("Reject: 2 submissions") && plan.says("One") && plan.says("Two") && !plan.says("Three"))
        #expect(try plan.link("Do nothing") == "/queue?type=article")
        #expect(try await desk.state(ids[0]) == .pending, "nothing has happened yet")

        let unsaid = try await browser.press("Reject – 2 submissions", on: plan)
        #expect(unsaid.status == 422 && unsaid.links.contains { $0.address == "#reason" })
        var form = try unsaid.form("Reject – 2 submissions")
        try form.fill("reason", "spam")
        let done = try await browser.press("Reject – 2 submissions", in: form)
        #expect(done.says("Done with 2 submissions."))
        #expect(try await desk.state(ids[0]) == .rejected)
        #expect(try await desk.state(ids[2]) == .pending)
        // The same form once more does nothing twice.
        let twice = try await browser.press("Reject – 2 submissions", in: form)
        #expect(twice.status == 409 && twice.says("Nothing was done twice."))

        #expect(try await browser.visit("/queue/\(ids[0])").says("together with others"))
        let undone = try await browser.press("Undo it for all of them", on: done)
        #expect(undone.says("2 undone") && !undone.hasButton("Undo it for all of them"))
        #expect(try await desk.state(ids[0]) == .pending)
    }

    @Test("All that match are accepted into a feed at once")
    func all() async throws {
        let desk = try await Desk.make()
        let feed = try await desk.feed()
        for number in 1...30 { try await desk.submit("Harbour \(number)") }
        try await desk.submit("Another thing")
        let browser = try await desk.browser(.curator)
        var list = try await browser.visit("/queue?q=harbour").form("Approve…")
        try list.tick("all", "1")
        let plan = try await browser.press("Approve…", in: list)
        #expect(plan.says("Approve: 30 submissions"))
        var form = try plan.form("Approve – 30 submissions")
        try form.tick("field.feeds", feed.description)
        try form.tick("publish_timing", "now")
        let done = try await browser.press("Approve – 30 submissions", in: form)
        #expect(done.says("Done with 30 submissions.") && done.says("publication"))
        #expect(try await desk.rows("feed_item") == 30)
        #expect(try await desk.test.database.queue.count(QueueFilter()) == 1)
    }

    @Test("Nothing selected, an action that there is none of, and somebody else's plan are refused in words")
    func refused() async throws {
        let desk = try await Desk.make()
        let id = try await desk.submit("One")
        let ann = try await desk.browser(.curator, name: "Ann")
        let page = try await ann.visit("/queue")
        let nothing = try await ann.press("Put off…", on: page)
        #expect(nothing.status == 422 && nothing.says("Select submissions first."))
        let csrf = try #require(try page.form("Put off…").value("csrf"))
        let strange = try await ann.send("POST", "/bulk-actions", [("csrf", csrf), ("action", "burn"), ("all", "1")])
        #expect(strange.status == 422)
        var form = try page.form("Put off…")
        try form.tick("id", id.description)
        let plan = try await ann.press("Put off…", in: form)
        let bob = try await desk.browser(.curator, name: "Bob")
        let seen = try await bob.visit(plan.address)
        let stolen = try await bob.press("Put off – 1 submission", on: seen)
        #expect(stolen.status == 403 && stolen.says("Only Ann may do this."))
        var wrong = try plan.form("Put off – 1 submission")
        try wrong.fill("until", "at")
        try wrong.fill("local", "2001-01-01T10:00")
        let past = try await ann.press("Put off – 1 submission", in: wrong)
        #expect(past.status == 422 && past.says("This time has passed"))
        #expect(try past.form("Put off – 1 submission").value("local") == "2001-01-01T10:00")
        let missing = try await ann.visit("/bulk-actions/00000000-0000-7000-8000-000000000001")
        #expect(missing.status == 404)
    }

    @Test(
        "Those that others look at are counted before, and passed over with the reason", arguments: ["assign", "rank"])
    func held(_ action: String) async throws {
        let desk = try await Desk.make()
        let ids = [try await desk.submit("One"), try await desk.submit("Two")]
        let ann = try await desk.browser(.curator, name: "Ann")
        let bob = try await desk.browser(.curator, name: "Bob")
        _ = try await bob.press("Take it", on: try await bob.visit("/queue/\(ids[0])"))
        let label = action == "assign" ? "Hand on" : "Priority"
        var list = try await ann.visit("/queue").form("\(label)…")
        try list.tick("all", "1")
        let plan = try await ann.press("\(label)…", in: list)
        #expect(plan.says("1 taken by others"))
        let button = action == "assign" ? "Hand on – 2 submissions" : "Set the priority – 2 submissions"
        var form = try plan.form(button)
        try form.fill(action == "assign" ? "assignee" : "priority", action == "assign" ? "role:editor" : "urgent")
        let done = try await ann.press(button, in: form)
        #expect(done.says("Done with 1 submission, 1 passed over.") && done.says("Somebody else is looking at it"))
        #expect(try await ann.visit("/queue").says(action == "assign" ? "for editors" : "Urgent"))
    }
}
