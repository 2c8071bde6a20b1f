// Tests the review page: content, claims, every decision, conflicts and undo.
import Domain
import FoundationEssentials
import HTTP
import Operations
import Store
import TestSupport
import Testing

@Suite("The review page", .databases)
struct ReviewPagesTests {
    @Test("A5: approving now with a feed writes a row of the read tables; the next submission follows, with an undo")
    func approveNow() async throws {
        let fixture = try await AdminFixture.make()
        let feed = try await fixture.feed()
        let harbour = try await fixture.category("Harbour")
        let id = try await fixture.submit("Ten cafés", category: "harbour")
        let next = try await fixture.submit("The next one")
        let browser = try await fixture.browser(.curator)
        var form = try await browser.visit("/queue/\(id)").form("Approve and publish")
        #expect(form.value("field.feeds") == feed.description, "the only feed is selected")
        #expect(form.value("field.categories") == harbour.description, "the requested category is selected")
        #expect(form.value("publish") == "now")
        try form.fill("field.title", "Ten cafés by the water")
        let page = try await browser.press("Approve and publish", in: form)
        #expect(page.url == "/queue/\(next)")
        #expect(page.says("Approved “Ten cafés”. Published in City guides."))
        #expect(try await fixture.rows("item") == 1)
        let title: String = try await fixture.test.client.one("select title from api_v1.item")("title")
        #expect(title == "Ten cafés by the water")
        #expect(try await fixture.rows("feed_item") == 1)

        let undone = try await browser.press("Undo", on: page)
        #expect(undone.url == "/queue/\(id)")
        #expect(undone.says("Decision undone. The submission is back in the queue."))
        #expect(try await fixture.rows("item") == 0)
        #expect(try await fixture.state(id) == .pending)
    }

    @Test("The first lines of a review say that the team has left notes, and lead to them")
    func notes() async throws {
        let fixture = try await AdminFixture.make()
        let (id, other) = (try await fixture.submit("Ten cafés"), try await fixture.submit("Nine cafés"))
        let browser = try await fixture.browser(.curator)
        #expect(try await !browser.visit("/queue/\(id)").says("Internal notes:"))
        let ann = try await fixture.test.actor(.curator, name: "Ann")
        for text in ["The second photo is better.", "It is by the harbor."] {
            try await fixture.test.services.addNote(text, on: .submission(id), by: ann)
        }
        let page = try await browser.visit("/queue/\(id)")
        #expect(try page.link("Internal notes: 2") == "#history")
        #expect(page.holds("id=\"history\"") && page.says("The second photo is better."))
        let card = try #require(page.html.firstRange(of: "id=\"history\"")).upperBound
        let end = try #require(page.html[card...].firstRange(of: "</section>")).lowerBound
        #expect(page.html[card..<end].contains("id=\"note-text\""), "notes are read and written in one card")
        #expect(try await !browser.visit("/queue/\(other)").says("Internal notes:"))
    }

    @Test("The message after an approval names a feed in which readers find the entry, and how many more there are")
    func live() async throws {
        let (fixture, browser) = try await AdminFixture.visited(by: .publisher)
        let alone = try await fixture.submit("Alone")
        let approved = try await browser.press("Approve and publish", on: try await browser.visit("/queue/\(alone)"))
        #expect(approved.says("Approved “Alone”. Published, in no feed."))
        var feeds: [ID<Entry>] = []
        for title in ["Walks", "Cafés", "Rivers"] { feeds.append(try await fixture.feed(title)) }
        let id = try await fixture.submit("Everywhere")
        var form = try await browser.visit("/queue/\(id)").form("Approve and publish")
        for feed in feeds { try form.tick("field.feeds", feed.description) }
        let page = try await browser.press("Approve and publish", in: form)
        #expect(page.says("Approved “Everywhere”. Published in Cafés and 2 more."))
    }

    @Test("The message after an approval names no feed for a type that has none", .packs(.places))
    func withoutFeeds() async throws {
        let fixture = try await AdminFixture.make()
        let center: JSONValue = .object(["lat": .int(1), "lon": .int(2)])
        let city = try await fixture.publish("city", "Bath", ["center": center])
        let place = try await fixture.publish(
            "place", "Palace",
            [
                "city": .entry(city), "address": "Quay 1", "point": center, "image": "https://images.example/a.jpg",
                "categories": .entries([SeedEntry.unsorted]),
            ])
        let draft = SubmissionDraft(
            type: "review", contributor: "user-1", contributorEmail: nil, category: nil,
            fields: ["title": "Grand", "place": .entry(place), "rating": .int(5)])
        let receive = fixture.test.services.receiveSubmission
        let id = try await receive(draft, by: fixture.client).id
        let browser = try await fixture.browser(.publisher)
        let done = try await browser.press("Approve and publish", on: try await browser.visit("/queue/\(id)"))
        #expect(done.says("Approved “Grand”. Published.") && !done.says("in no feed"))
    }

    @Test(
        "The approve form starts with what the role may do, and no refusal names an option that the page lacks",
        arguments: [Role.curator, .editor, .publisher])
    func roleDefaults(role: Role) async throws {
        let (fixture, browser) = try await AdminFixture.visited(by: role)
        let button =
            role == .curator
            ? "Approve and send to an editor" : role == .publisher ? "Approve and publish" : "Approve"
        // Without a feed, with two that publish on approval, and with one that does not.
        for feeds in 0...2 {
            if feeds == 1 { for name in ["One", "Two"] { _ = try await fixture.feed(name) } }
            if feeds == 2 { _ = try await fixture.feed("Held", isOpen: false) }
            let id = try await fixture.submit("Part \(feeds)")
            let page = try await browser.visit("/queue/\(id)")
            var form = try page.form(button)
            #expect(form.value("publish") == (role == .publisher ? "now" : "none"))
            if role != .publisher {
                let wrong = try await browser.send(
                    "POST", "/queue/\(id)/decision",
                    try form.fields(pressing: button).filter { $0.0 != "publish" } + [("publish", "now")])
                #expect(wrong.status == 403)
                let named = wrong.text.firstMatch(of: /“([^”]*)”/).map { String($0.1) }
                #expect(named != nil && wrong.html.contains("> \(named ?? "-")</label>"))
            }
            try form.fill("field.title", "Part \(feeds), edited")
            let done = try await browser.press(button, in: form)
            #expect(done.status == 200 && done.says("Approved"))
            #expect(try await fixture.state(id) == .approved)
        }
    }

    @Test("Where only one category group has stages, people who can't approve into it approve into the other")
    func groupStages() async throws {
        let fixture = try await AdminFixture.make()
        _ = try await fixture.feed()
        let market = try await fixture.publish(
            "category", "Market", ["group": .entry(SeedEntry.placeGroup)])
        let stage = ReviewStage(name: "Editors", role: .editor, requiredApprovals: 1)
        let update = fixture.test.services.approveStage
        try await update.update(.group(SeedEntry.topicGroup), [stage], by: TestDatabase.administrator)
        let id = try await fixture.submit()
        let browser = try await fixture.browser(.curator)
        let page = try await browser.visit("/queue/\(id)")
        #expect(page.says("You can approve this only into categories of the group Place."))
        #expect(page.says("The stage “Editors” requires approvals by editors. Your role (curator) can't approve it."))
        var form = try page.form("Approve and publish")
        _ = try await browser.press("Approve and publish", in: form)
        #expect(try await fixture.state(id) == .pending)
        try form.tick("field.categories", market.description)
        _ = try await browser.press("Approve and publish", in: form)
        #expect(try await fixture.state(id) == .approved)
        // Editors may approve into both, and nobody else may where both have stages.
        let other = try await fixture.submit("Another")
        let editor = try await fixture.browser(.editor, name: "Ann").visit("/queue/\(other)")
        #expect(!editor.says("You can approve this only") && editor.html.contains("id=\"approve\""))
        try await update.update(.group(SeedEntry.placeGroup), [stage], by: TestDatabase.administrator)
        #expect(try await !browser.visit("/queue/\(other)").html.contains("id=\"approve\""))
    }

    @Test("The same decision sent twice by one person, as by a key that is held, is no conflict")
    func twice() async throws {
        let fixture = try await AdminFixture.make()
        _ = try await fixture.feed()
        let id = try await fixture.submit()
        let next = try await fixture.submit("The next one")
        let browser = try await fixture.browser(.curator)
        let form = try await browser.visit("/queue/\(id)").form("Approve and publish")
        _ = try await browser.press("Approve and publish", in: form)
        let again = try await browser.press("Approve and publish", in: form)
        #expect(again.url == "/queue/\(next)" && again.says("You already approved this submission."))
        #expect(try await fixture.test.database.decisions.history(of: id).count == 1)
        // Somebody else's decision is a conflict, and so is another one of one's own.
        let other = try await fixture.browser(.curator, name: "Bob").press("Approve and publish", in: form)
        #expect(other.status == 403 || other.status == 409)
        var rejection = try await browser.visit("/queue/\(next)").form("Reject")
        _ = try await browser.press("Approve and publish", on: try await browser.visit("/queue/\(next)"))
        try rejection.fill("reason", "spam")
        #expect(try await browser.press("Reject", in: rejection).status == 409)
    }

    @Test("A3: the review page names what was removed from the text, and shows the rest")
    func removed() async throws {
        let fixture = try await AdminFixture.make()
        let body = "<p onclick=x>Kept<script>gone</script></p><iframe src='https://player.vimeo.com/video/7'></iframe>"
        let id = try await fixture.submit(fields: ["body": .string(body)])
        let clean = try await fixture.submit("Clean", fields: ["body": "<p>Nothing was removed"])
        let browser = try await fixture.browser(.curator)
        let page = try await browser.visit("/queue/\(id)")
        #expect(page.says("Removed: onclick, <script>. Replaced by links: <iframe>."))
        #expect(page.says("Kept") && page.links.contains { $0.url == "https://vimeo.com/7" })
        #expect(try await !browser.visit("/queue/\(clean)").says("Removed:"))
    }

    @Test(
        "Content is read as by readers: the title once, then summary, image and text without labels; the rest is a list"
    )
    func reading() async throws {
        let (fixture, browser) = try await AdminFixture.visited(by: .curator)
        func article(_ id: ID<Submission>) async throws -> String {
            let page = try await browser.visit("/queue/\(id)")
            let start = try #require(page.html.firstRange(of: "<article class=\"card reading\">"))
            let end = try #require(page.html.firstRange(of: "</article>"))
            return String(page.html[start.upperBound..<end.lowerBound])
        }
        let full = try await article(
            try await fixture.submit(
                "Ten cafés",
                fields: [
                    "summary": "Where to sit.", "author": "Ada", "body": "<p>By the <em>water</em></p>",
                    "image": .object(["url": "https://example.org/a.png", "alt": "A harbor"]),
                ]))
        #expect(!full.contains("Ten cafés"), "the heading of the page is the title")
        let parts = [
            "<p class=\"standfirst pre-line\" dir=\"auto\">Where to sit.</p>", "<figure>", "A harbor",
            "<dt>Author</dt>", "Ada",
            "id=\"members-only\"", "<div class=\"prose\" dir=\"auto\"><p>By the <em>water</em></p>",
        ]
        let places = parts.compactMap { full.firstRange(of: $0)?.lowerBound }
        #expect(places.count == parts.count && places == places.sorted(), "\(full)")
        for label in ["Title", "Summary", "Image", "Text"] { #expect(!full.contains("<dt>\(label)"), "\(label)") }

        let short = try await article(try await fixture.submit("Only this", fields: ["body": "<p>x</p>"]))
        #expect(short.contains("Guests see only the title.") && !short.contains("Only this"))
        // A deceptive title is shown with the reason.
        let deceptive = try await article(try await fixture.submit("P\u{430}ypal"))
        #expect(deceptive.contains("<h3 class=\"title\"") && deceptive.contains("Suspicious characters"))
    }

    @Test("Approving with a scheduled time creates a release")
    func approveScheduled() async throws {
        let fixture = try await AdminFixture.make()
        _ = try await fixture.feed()
        let id = try await fixture.submit()
        let browser = try await fixture.browser(.curator)
        let page = try await browser.press(
            "Approve and publish", on: browser.visit("/queue/\(id)"),
            filling: ["local": "2999-11-20T18:00", "zone": "Europe/London"], ticking: ["publish": "at"])
        #expect(page.says("Scheduled for 2999-11-20 18:00 Europe/London in release"))
        #expect(try await fixture.rows("item") == 0)
        #expect(try await fixture.test.database.releases.scheduled().first?.zone == "Europe/London")
    }

    @Test("A past or missing time and an unknown time zone are rejected at their fields; all input is kept")
    func wrongTimes() async throws {
        let fixture = try await AdminFixture.make()
        _ = try await fixture.feed()
        let id = try await fixture.submit()
        let browser = try await fixture.browser(.publisher)
        for (local, zone, message, target) in [
            ("2001-01-01T10:00", "UTC", "This time has passed in UTC", "#local"),
            ("", "UTC", "Enter a date and time", "#local"),
            ("2999-01-01T10:00", "Mars/Olympus", "There is no time zone named Mars/Olympus", "#zone"),
        ] {
            var form = try await browser.visit("/queue/\(id)").form("Approve and publish")
            try form.tick("publish", "at")
            try form.fill("local", local)
            try form.fill("zone", zone)
            try form.fill("field.author", "Somebody")
            let page = try await browser.press("Approve and publish", in: form)
            #expect(page.status == 422)
            #expect(page.says(message))
            #expect(page.links.contains { $0.url == target && $0.text.contains(message) })
            #expect(page.isTimeMarked(target == "#zone" ? "zone" : "local"))
            #expect(!page.isTimeMarked(target == "#zone" ? "local" : "zone") && !page.holds("id=\"publish-error\""))
            let again = try page.form("Approve and schedule")
            #expect(again.value("local") == local && again.value("zone") == zone && again.value("publish") == "at")
            #expect(again.value("field.author") == "Somebody")
        }
        #expect(try await fixture.state(id) == .pending)
    }

    @Test("W4: errors are shown at their fields and in the summary, and all input is kept")
    func invalid() async throws {
        let fixture = try await AdminFixture.make()
        let feed = try await fixture.feed()
        let id = try await fixture.submit()
        let browser = try await fixture.browser(.publisher)
        var form = try await browser.visit("/queue/\(id)").form("Approve and publish")
        try form.fill("field.title", "")
        try form.fill("field.url", "javascript:alert(1)")
        try form.fill("field.locale", "about 5")
        try form.fill("field.body", "\n<p>two\r\nlines</p>\n")
        try form.tick("field.feeds", feed.description, isOn: false)
        let page = try await browser.press("Approve and publish", in: form)
        #expect(page.status == 422)
        #expect(page.title.hasPrefix("Error: "))
        #expect(page.says("There is a problem"))
        for target in ["#field-title", "#field-url", "#field-locale"] {
            #expect(page.links.contains { $0.url == target }, "a link to \(target)")
            let name = target.dropFirst()
            #expect(page.html.contains("id=\"\(name)-error\""))
            #expect(page.html.contains("\(name)-error\" aria-invalid"), "the field names its message")
        }
        let again = try page.form("Approve and publish")
        #expect(again.value("field.title") == "")
        #expect(again.value("field.url") == "javascript:alert(1)")
        #expect(again.value("field.locale") == "about 5")
        #expect(again.value("field.body") == "\n<p>two\nlines</p>\n")
        #expect(again.value("field.feeds") == nil)
        #expect(try await fixture.state(id) == .pending)
    }

    @Test("R21: a decision on a changed submission shows who changed it, and the unsaved input to copy")
    func stale() async throws {
        let fixture = try await AdminFixture.make()
        _ = try await fixture.feed()
        let id = try await fixture.submit()
        let next = try await fixture.submit("The next one")
        let slow = try await fixture.browser(.publisher, name: "Slow")
        let fast = try await fixture.browser(.publisher, name: "Fast Fay")
        var form = try await slow.visit("/queue/\(id)").form("Approve and publish")
        _ = try await fast.press("Approve and publish", on: try await fast.visit("/queue/\(id)"))
        try form.fill("field.title", "My better title")
        let page = try await slow.press("Approve and publish", in: form)
        #expect(page.status == 409)
        #expect(page.says("Fast Fay") && page.says("approved this"))
        #expect(page.html.contains("readonly") && page.html.contains("My better title"))
        #expect(try page.link("Next submission") == "/queue/\(next)")
        #expect(try await fixture.rows("item") == 1)
        let title: String = try await fixture.test.client.one("select title from api_v1.item")("title")
        #expect(title == "Ten cafés")

        // So does the second undo.
        let seen = try await slow.visit("/queue/\(id)")
        _ = try await fast.press("Undo decision", on: try await fast.visit("/queue/\(id)"))
        let late = try await slow.press("Undo decision", on: seen)
        #expect(late.status == 409)
        #expect(late.says("Someone else has decided"))
    }

    @Test("A claim is shown to others, who may take it over; deciding despite a claim needs a confirmation")
    func claims() async throws {
        let fixture = try await AdminFixture.make()
        let id = try await fixture.submit()
        let second = try await fixture.submit("Second")
        let ann = try await fixture.browser(.curator, name: "Ann")
        let bob = try await fixture.browser(.curator, name: "Bob")
        let before = try await bob.visit("/queue/\(id)")
        #expect(before.says("Unclaimed"))
        #expect(try await ann.press("Claim", on: try await ann.visit("/queue/\(id)")).says("Claimed by you"))
        #expect(try await bob.visit("/queue").says("Claimed by Ann"))

        let refused = try await bob.press("Claim", on: before)
        #expect(refused.status == 409 && refused.says("Ann has claimed this submission."))
        let unsaid = try await bob.press("Take over", on: refused)
        #expect(unsaid.status == 422 && unsaid.links.contains { $0.url == "#take-over-reason" })
        let taken = try await bob.press("Take over", on: unsaid, filling: ["take_over_reason": "Ann is on holiday."])
        #expect(taken.says("Claimed by you") && taken.says("took this over") && taken.says("Ann is on holiday."))
        #expect(try await ann.visit("/queue/\(id)").says("Claimed by Bob until"))
        #expect(
            try await bob.press("Unclaim", on: try await bob.visit("/queue/\(id)")).says("Submission unclaimed."))
        #expect(try await ann.visit("/queue/\(id)").says("Unclaimed"))

        _ = try await ann.press("Claim", on: try await ann.visit("/queue/\(second)"))
        var form = try await bob.visit("/queue/\(second)").form("Reject")
        try form.fill("reason", "spam")
        try form.fill("message", "Bought links.")
        let warned = try await bob.press("Reject", in: form)
        #expect(warned.status == 409 && warned.says("Your decision was not saved."))
        #expect(try await fixture.state(second) == .pending)
        #expect(try warned.form("Reject").value("message") == "Bought links.")
        #expect(try await bob.press("Reject", on: warned).says("Rejected “Second”."))
        #expect(try await fixture.state(second) == .rejected)
    }

    @Test("Viewing a submission doesn't claim or change it")
    func viewing() async throws {
        let fixture = try await AdminFixture.make()
        let id = try await fixture.submit()
        _ = try await fixture.browser(.curator).visit("/queue/\(id)")
        #expect(try await fixture.test.database.queue.find(id)?.claimedByID == nil)
    }

    @Test("Rejecting requires a reason, and the reason \"other\" requires a message")
    func reject() async throws {
        let fixture = try await AdminFixture.make()
        let id = try await fixture.submit()
        let browser = try await fixture.browser(.curator)
        var form = try await browser.visit("/queue/\(id)").form("Reject")
        try form.fill("message", "Not for us.")
        let page = try await browser.press("Reject", in: form)
        #expect(page.status == 422 && page.links.contains { $0.url == "#reason" })
        #expect(try page.form("Reject").value("message") == "Not for us.")

        var other = try page.form("Reject")
        try other.fill("reason", "other")
        try other.fill("message", " ")
        let again = try await browser.press("Reject", in: other)
        #expect(again.status == 422 && again.links.contains { $0.url == "#reject-message" })
        #expect(try again.form("Reject").value("reason") == "other")

        var unknown = try again.form("Reject")
        try unknown.fill("reason", "boredom")
        #expect(try await browser.press("Reject", in: unknown).says("Choose a reason from the list."))

        var right = try again.form("Reject")
        try right.fill("message", "We had three of these.")
        #expect(try await browser.press("Reject", in: right).says("Rejected “Ten cafés”."))
        let seen = try await browser.visit("/queue/\(id)")
        #expect(seen.says("rejected this") && seen.says("Another reason") && seen.says("We had three of these."))
        #expect(!seen.hasButton("Approve") && seen.hasButton("Undo decision"))
    }

    @Test("Requesting changes requires a message; the submission can then be approved, but not sent back again")
    func requestChanges() async throws {
        let fixture = try await AdminFixture.make()
        let id = try await fixture.submit()
        let browser = try await fixture.browser(.curator)
        let page = try await browser.press("Request changes", on: try await browser.visit("/queue/\(id)"))
        #expect(page.status == 422 && page.links.contains { $0.url == "#request-changes-message" })
        var form = try page.form("Request changes")
        try form.fill("message", "Shorter, please.")
        #expect(try await browser.press("Request changes", in: form).says("Requested changes"))
        #expect(try await fixture.state(id) == .changesRequested)
        let seen = try await browser.visit("/queue/\(id)")
        #expect(seen.hasButton("Approve and send to an editor") && !seen.hasButton("Request changes"))
    }

    @Test("A curator sees which feeds they may publish into; others are rejected and the input is kept")
    func rights() async throws {
        let fixture = try await AdminFixture.make()
        let closed = try await fixture.feed("Long reads", isOpen: false)
        let id = try await fixture.submit()
        let curator = try await fixture.browser(.curator)
        let page = try await curator.visit("/queue/\(id)")
        #expect(page.says("Your role (curator) may not publish into any feed"))
        #expect(page.says("Send to an editor"))
        #expect(throws: PageForm.NoControl.self) {
            var form = try page.form("Approve and send to an editor")
            try form.tick("publish", "now")
        }
        #expect(page.says("Long reads An editor must approve it"))

        _ = try await fixture.feed("City guides")
        let open = try await curator.visit("/queue/\(id)")
        #expect(
            open.says(
                "Your role (curator) may publish into City guides. For other feeds or none, an editor must approve it.")
        )
        #expect(!open.says("City guides An editor must approve it"))
        var form = try open.form("Approve and send to an editor")
        try form.tick("field.feeds", closed.description)
        try form.tick("publish", "now")
        try form.fill("field.author", "Somebody")
        let refused = try await curator.press("Approve and send to an editor", in: form)
        #expect(refused.status == 403)
        #expect(refused.says("You may not publish into these feeds. Choose “Send to an editor”."))
        #expect(try refused.form("Approve and publish").value("field.author") == "Somebody")
        #expect(try await fixture.state(id) == .pending)

        var later = try refused.form("Approve and publish")
        try later.tick("publish", "none")
        #expect(try await curator.press("Approve and publish", in: later).says("An editor must approve the entry"))
        #expect(try await fixture.rows("item") == 0)
    }

    @Test("A reviewer who edits the content becomes its author; one who doesn't, does not")
    func author() async throws {
        let fixture = try await AdminFixture.make()
        _ = try await fixture.feed()
        let browser = try await fixture.browser(.publisher, name: "Ann")
        for isEdited in [false, true] {
            let id = try await fixture.submit("Part", fields: ["body": "<p>one</p>\n<p>two</p>"])
            var form = try await browser.visit("/queue/\(id)").form("Approve and publish")
            if isEdited { try form.fill("field.summary", "Mine.") }
            _ = try await browser.press("Approve and publish", in: form)
            let entry = try #require(try await fixture.test.database.submissions.find(id)?.entry)
            let author = try await fixture.test.database.entries.find(entry)?.author
            #expect((author == "Ann") == isEdited)
        }
    }

    @Test(
        "S2: submitted markup is shown as text, in every field",
        arguments: [
            "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "'-alert(1)-'",
            "</textarea><script>x</script>",
            "</title><script>x</script>", "{{frame.csrf}}", "<svg onload=alert(1)>",
        ])
    func escaped(_ payload: String) async throws {
        let fixture = try await AdminFixture.make()
        let id = try await fixture.submit(
            payload, category: payload, contributor: payload,
            fields: [
                "summary": .string(payload), "body": .string("<p>fine</p>" + payload), "author": .string(payload),
                "image": .object(["url": "https://example.org/a.png", "alt": .string(payload)]),
                "media": .object(["name": .string(payload)]),
            ])
        let browser = try await fixture.browser(.publisher, name: payload)
        let search = "/queue?" + FormFields([FormFields.Field(name: "q", value: payload)]).urlEncoded
        for address in ["/queue", "/queue/\(id)", search] {
            let page = try await browser.visit(address)
            #expect(page.status == 200)
            #expect(!page.html.contains("<svg onload"))
            let own = "<script type=\"module\" src=\"/static/"
            #expect(
                page.html.components(of: "<script").count == page.html.components(of: own).count, "only our own scripts"
            )
            #expect(!page.html.contains("onerror=alert") || !page.html.contains("<img src=x"))
        }
        let page = try await browser.visit("/queue/\(id)")
        #expect(page.says(payload))
        #expect(try page.form("Approve and publish").value("field.summary") == payload)
        #expect(try page.form("Approve and publish").value("field.author") == payload)
    }

    @Test("S15: malformed and unknown IDs are not found; signed-out visitors see nothing")
    func missing() async throws {
        let fixture = try await AdminFixture.make()
        let id = try await fixture.submit()
        let browser = try await fixture.browser(.administrator)
        for address in ["/queue/none", "/queue/00000000-0000-7000-8000-000000000099"] {
            let page = try await browser.visit(address)
            #expect(page.status == 404 && page.says("Not found"))
        }
        let stranger = try await fixture.stranger.visit("/queue/\(id)")
        #expect(stranger.url.hasPrefix("/login") && !stranger.says("Ten cafés"))
    }
}

extension String {
    fileprivate func components(of separator: String) -> [Substring] {
        split(separator: separator, omittingEmptySubsequences: false)
    }
}
