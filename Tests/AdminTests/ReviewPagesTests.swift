// Tests reviewing one submission: what is shown, the claim, every decision, conflicts and undo.
import Domain
import FoundationEssentials
import HTTP
import Store
import TestSupport
import Testing

@Suite("The review page", .databases)
struct ReviewPagesTests {
    @Test("A5: accepting now with a feed puts a row into the read tables; the next submission follows with an undo")
    func approveNow() async throws {
        let desk = try await Desk.make()
        let feed = try await desk.feed()
        let harbour = try await desk.category("Harbour")
        let id = try await desk.submit("Ten cafés", category: "harbour")
        let next = try await desk.submit("The next one")
        let browser = try await desk.browser(.curator)
        var form = try await browser.visit("/queue/\(id)").form("Approve")
        #expect(form.value("field.feeds") == feed.description, "the only feed is chosen")
        #expect(form.value("field.categories") == harbour.description, "the wished category is chosen")
        #expect(form.value("publish_timing") == "now")
        try form.fill("field.title", "Ten cafés by the water")
        let page = try await browser.press("Approve", in: form)
        #expect(page.address == "/queue/\(next)")
        #expect(page.says("Approved “Ten cafés” – live now in publication"))
        #expect(try await desk.rows("item") == 1)
        let title: String = try await desk.test.client.one("select title from api_v1.item")("title")
        #expect(title == "Ten cafés by the water")
        #expect(try await desk.rows("feed_item") == 1)

        let undone = try await browser.press("Undo", on: page)
        #expect(undone.address == "/queue/\(id)")
        #expect(undone.says("Undone: this is back in the queue"))
        #expect(try await desk.rows("item") == 0)
        #expect(try await desk.state(id) == .pending)
    }

    @Test("Accepting at a time makes a release for it, and the zone is remembered")
    func approveAtATime() async throws {
        let desk = try await Desk.make()
        _ = try await desk.feed()
        let id = try await desk.submit()
        let other = try await desk.submit("Another")
        let browser = try await desk.browser(.curator)
        var form = try await browser.visit("/queue/\(id)").form("Approve")
        try form.tick("publish_timing", "at")
        try form.fill("local", "2999-11-20T18:00")
        try form.fill("zone", "Europe/London")
        let page = try await browser.press("Approve", in: form)
        #expect(page.says("goes live 2999-11-20 18:00 Europe/London with release"))
        #expect(try await desk.rows("item") == 0)
        #expect(try await desk.test.database.releases.scheduled().first?.zone == "Europe/London")
        #expect(try await browser.visit("/queue/\(other)").form("Approve").value("zone") == "Europe/London")
    }

    @Test("A time that has passed, is none, or has an unknown zone is refused at its field; all stays as typed")
    func wrongTimes() async throws {
        let desk = try await Desk.make()
        _ = try await desk.feed()
        let id = try await desk.submit()
        let browser = try await desk.browser(.publisher)
        for (local, zone, message, target) in [
            ("2001-01-01T10:00", "UTC", "This time has passed in UTC", "#local"),
            ("", "UTC", "Write the day and time", "#local"),
            ("2999-01-01T10:00", "Mars/Olympus", "There is no time zone named Mars/Olympus", "#zone"),
        ] {
            var form = try await browser.visit("/queue/\(id)").form("Approve")
            try form.tick("publish_timing", "at")
            try form.fill("local", local)
            try form.fill("zone", zone)
            try form.fill("field.author", "Somebody")
            let page = try await browser.press("Approve", in: form)
            #expect(page.status == 422)
            #expect(page.says(message))
            #expect(page.links.contains { $0.address == target && $0.words.contains(message) })
            let again = try page.form("Approve")
            #expect(again.value("local") == local && again.value("zone") == zone && again.value("publish_timing") == "at")
            #expect(again.value("field.author") == "Somebody")
        }
        #expect(try await desk.state(id) == .pending)
    }

    @Test("W4: what is wrong stands at its field and in the summary, and everything is kept as it was typed")
    func invalid() async throws {
        let desk = try await Desk.make()
        let feed = try await desk.feed()
        let id = try await desk.submit()
        let browser = try await desk.browser(.publisher)
        var form = try await browser.visit("/queue/\(id)").form("Approve")
        try form.fill("field.title", "")
        try form.fill("field.url", "javascript:alert(1)")
        try form.fill("field.rank", "about 5")
        try form.fill("field.media", "{not json")
        try form.fill("field.body", "\n<p>two\r\nlines</p>\n")
        try form.tick("field.feeds", feed.description, isOn: false)
        let page = try await browser.press("Approve", in: form)
        #expect(page.status == 422)
        #expect(page.title.hasPrefix("Error: "))
        #expect(page.says("There is a problem"))
        for target in ["#field-title", "#field-url", "#field-rank", "#field-media"] {
            #expect(page.links.contains { $0.address == target }, "a link to \(target)")
            let name = target.dropFirst()
            #expect(page.html.contains("id=\"\(name)-error\""))
            #expect(page.html.contains("\(name)-error\" aria-invalid"), "the field names its message")
        }
        let again = try page.form("Approve")
        #expect(again.value("field.title") == "")
        #expect(again.value("field.url") == "javascript:alert(1)")
        #expect(again.value("field.rank") == "about 5")
        #expect(again.value("field.media") == "{not json")
        #expect(again.value("field.body") == "\n<p>two\nlines</p>\n")
        #expect(again.value("field.feeds") == nil)
        #expect(try await desk.state(id) == .pending)
    }

    @Test("R21: who decides too late sees who was faster, and what was typed is still there to copy")
    func stale() async throws {
        let desk = try await Desk.make()
        _ = try await desk.feed()
        let id = try await desk.submit()
        let next = try await desk.submit("The next one")
        let slow = try await desk.browser(.publisher, name: "Slow")
        let fast = try await desk.browser(.publisher, name: "Fast Fay")
        var form = try await slow.visit("/queue/\(id)").form("Approve")
        _ = try await fast.press("Approve", on: try await fast.visit("/queue/\(id)"))
        try form.fill("field.title", "My better title")
        let page = try await slow.press("Approve", in: form)
        #expect(page.status == 409)
        #expect(page.says("Fast Fay") && page.says("accepted it"))
        #expect(page.html.contains("readonly") && page.html.contains("My better title"))
        #expect(try page.link("Go on with the next") == "/queue/\(next)")
        #expect(try await desk.rows("item") == 1)
        let title: String = try await desk.test.client.one("select title from api_v1.item")("title")
        #expect(title == "Ten cafés")

        // The second undo comes too late as well.
        let seen = try await slow.visit("/queue/\(id)")
        _ = try await fast.press("Undo the decision", on: try await fast.visit("/queue/\(id)"))
        let late = try await slow.press("Undo the decision", on: seen)
        #expect(late.status == 409)
        #expect(late.says("Someone else has decided"))
    }

    @Test("A claim is shown to others, who may take over; deciding against one is said first, then done")
    func claims() async throws {
        let desk = try await Desk.make()
        let id = try await desk.submit()
        let second = try await desk.submit("Second")
        let ann = try await desk.browser(.curator, name: "Ann")
        let bob = try await desk.browser(.curator, name: "Bob")
        let before = try await bob.visit("/queue/\(id)")
        #expect(before.says("Nobody has taken this yet"))
        #expect(try await ann.press("Take it", on: try await ann.visit("/queue/\(id)")).says("taken by you"))
        #expect(try await bob.visit("/queue").says("Ann is looking"))

        let refused = try await bob.press("Take it", on: before)
        #expect(refused.status == 409 && refused.says("Ann is looking at this submission now."))
        let unsaid = try await bob.press("Take over", on: refused)
        #expect(unsaid.status == 422 && unsaid.links.contains { $0.address == "#take-over-reason" })
        var taking = try unsaid.form("Take over")
        try taking.fill("take_over_reason", "Ann is on holiday.")
        let taken = try await bob.press("Take over", in: taking)
        #expect(taken.says("taken by you") && taken.says("took it over") && taken.says("Ann is on holiday."))
        #expect(try await ann.visit("/queue/\(id)").says("Bob is looking at this"))
        #expect(try await bob.press("Give back", on: try await bob.visit("/queue/\(id)")).says("Given back"))
        #expect(try await ann.visit("/queue/\(id)").says("Nobody has taken this yet"))

        _ = try await ann.press("Take it", on: try await ann.visit("/queue/\(second)"))
        var form = try await bob.visit("/queue/\(second)").form("Reject")
        try form.fill("reason", "spam")
        try form.fill("message", "Bought links.")
        let warned = try await bob.press("Reject", in: form)
        #expect(warned.status == 409 && warned.says("Nothing was decided."))
        #expect(try await desk.state(second) == .pending)
        #expect(try warned.form("Reject").value("message") == "Bought links.")
        #expect(try await bob.press("Reject", on: warned).says("Rejected “Second”."))
        #expect(try await desk.state(second) == .rejected)
    }

    @Test("Looking at a submission takes nothing and changes nothing")
    func lookingIsFree() async throws {
        let desk = try await Desk.make()
        let id = try await desk.submit()
        _ = try await desk.browser(.curator).visit("/queue/\(id)")
        #expect(try await desk.test.database.queue.find(id)?.claimedByID == nil)
    }

    @Test("Rejecting needs a reason, and another reason needs words")
    func reject() async throws {
        let desk = try await Desk.make()
        let id = try await desk.submit()
        let browser = try await desk.browser(.curator)
        var form = try await browser.visit("/queue/\(id)").form("Reject")
        try form.fill("message", "Not for us.")
        let page = try await browser.press("Reject", in: form)
        #expect(page.status == 422 && page.links.contains { $0.address == "#reason" })
        #expect(try page.form("Reject").value("message") == "Not for us.")

        var other = try page.form("Reject")
        try other.fill("reason", "other")
        try other.fill("message", " ")
        let again = try await browser.press("Reject", in: other)
        #expect(again.status == 422 && again.links.contains { $0.address == "#reject-message" })
        #expect(try again.form("Reject").value("reason") == "other")

        var unknown = try again.form("Reject")
        try unknown.fill("reason", "boredom")
        #expect(try await browser.press("Reject", in: unknown).says("Choose one of the reasons."))

        var right = try again.form("Reject")
        try right.fill("message", "We had three of these.")
        #expect(try await browser.press("Reject", in: right).says("Rejected “Ten cafés”."))
        let seen = try await browser.visit("/queue/\(id)")
        #expect(seen.says("rejected it") && seen.says("Another reason") && seen.says("We had three of these."))
        #expect(!seen.hasButton("Approve") && seen.hasButton("Undo the decision"))
    }

    @Test("Asking for changes needs a message; what was sent back can still be accepted, but not sent back again")
    func askForChanges() async throws {
        let desk = try await Desk.make()
        let id = try await desk.submit()
        let browser = try await desk.browser(.curator)
        let page = try await browser.press("Ask for changes", on: try await browser.visit("/queue/\(id)"))
        #expect(page.status == 422 && page.links.contains { $0.address == "#return-message" })
        var form = try page.form("Ask for changes")
        try form.fill("message", "Shorter, please.")
        #expect(try await browser.press("Ask for changes", in: form).says("Asked for changes"))
        #expect(try await desk.state(id) == .changesRequested)
        let seen = try await browser.visit("/queue/\(id)")
        #expect(seen.hasButton("Approve") && !seen.hasButton("Ask for changes"))
    }

    @Test("A curator sees in words which feeds go live on approval, and is refused with all that was typed")
    func rights() async throws {
        let desk = try await Desk.make()
        let closed = try await desk.feed("Long reads", isOpen: false)
        let id = try await desk.submit()
        let curator = try await desk.browser(.curator)
        let page = try await curator.visit("/queue/\(id)")
        #expect(page.says("As curator you may not publish into any feed"))
        #expect(page.says("Hand it to an editor"))
        #expect(throws: PageForm.NoControl.self) {
            var form = try page.form("Approve")
            try form.tick("publish_timing", "now")
        }

        _ = try await desk.feed("City guides")
        let open = try await curator.visit("/queue/\(id)")
        #expect(open.says("As curator you may publish into City guides; for other feeds, or none, an editor decides."))
        var form = try open.form("Approve")
        try form.tick("field.feeds", closed.description)
        try form.tick("publish_timing", "now")
        try form.fill("field.author", "Somebody")
        let refused = try await curator.press("Approve", in: form)
        #expect(refused.status == 403)
        #expect(refused.says("You may not publish into these feeds"))
        #expect(try refused.form("Approve").value("field.author") == "Somebody")
        #expect(try await desk.state(id) == .pending)

        var later = try refused.form("Approve")
        try later.tick("publish_timing", "approve-only")
        #expect(try await curator.press("Approve", in: later).says("waits for an editor to approve it."))
        #expect(try await desk.rows("item") == 0)
    }

    @Test("Who accepts without a change is not its author; who changes a word is")
    func author() async throws {
        let desk = try await Desk.make()
        _ = try await desk.feed()
        let browser = try await desk.browser(.publisher, name: "Ann")
        for isEdited in [false, true] {
            let id = try await desk.submit("Part", fields: ["body": "<p>one</p>\n<p>two</p>"])
            var form = try await browser.visit("/queue/\(id)").form("Approve")
            if isEdited { try form.fill("field.summary", "Mine.") }
            _ = try await browser.press("Approve", in: form)
            let entry = try #require(try await desk.test.database.submissions.find(id)?.entry)
            let author = try await desk.test.database.entries.find(entry)?.author
            #expect((author == "Ann") == isEdited)
        }
    }

    @Test(
        "S2: whatever is sent in, in every field, is shown as text",
        arguments: [
            "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "'-alert(1)-'",
            "</textarea><script>x</script>",
            "</title><script>x</script>", "{{frame.csrf}}", "<svg onload=alert(1)>",
        ])
    func escaped(_ payload: String) async throws {
        let desk = try await Desk.make()
        let id = try await desk.submit(
            payload, category: payload, contributor: payload,
            fields: [
                "summary": .string(payload), "body": .string("<p>fine</p>" + payload), "author": .string(payload),
                "image": .object(["url": "https://example.org/a.png", "alt": .string(payload)]),
                "media": .object(["name": .string(payload)]),
            ])
        let browser = try await desk.browser(.publisher, name: payload)
        let search = "/queue?" + FormFields([FormFields.Field(name: "q", value: payload)]).urlEncoded
        for address in ["/queue", "/queue/\(id)", search] {
            let page = try await browser.visit(address)
            #expect(page.status == 200)
            #expect(!page.elements.contains("svg"))
            #expect(page.html.components(of: "<script").count == 2, "only our own script")
            #expect(!page.html.contains("onerror=alert") || !page.html.contains("<img src=x"))
        }
        let page = try await browser.visit("/queue/\(id)")
        #expect(page.says(payload))
        #expect(try page.form("Approve").value("field.summary") == payload)
        #expect(try page.form("Approve").value("field.author") == payload)
    }

    @Test("S15: an id that is none, or of nothing, is not found; without a sign-in nothing is shown")
    func missing() async throws {
        let desk = try await Desk.make()
        let id = try await desk.submit()
        let browser = try await desk.browser(.administrator)
        for address in ["/queue/none", "/queue/00000000-0000-7000-8000-000000000099"] {
            let page = try await browser.visit(address)
            #expect(page.status == 404 && page.says("Not found"))
        }
        let stranger = try await desk.stranger.visit("/queue/\(id)")
        #expect(stranger.address.hasPrefix("/login") && !stranger.says("Ten cafés"))
    }
}

extension String {
    fileprivate func components(of separator: String) -> [Substring] {
        split(separator: separator, omittingEmptySubsequences: false)
    }
}
