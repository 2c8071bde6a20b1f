// Tests the status page for contributors: states, links, resubmissions, appeals and who may decide them.
import Domain
import FoundationEssentials
import HTTP
import Operations
import Platform
import Postgres
import Store
import TestSupport
import Testing

@testable import Admin

@Suite("Status pages", .databases)
struct StatusPagesTests {
    private func link(_ id: ID<Submission>, edition: Int = 1) throws -> String {
        "/s/" + (try #require(AdminFixture.statusKey)).text(for: id.bytes, edition: edition)
    }

    private func decide(
        _ fixture: AdminFixture, _ id: ID<Submission>, _ draft: Decision.Draft, by actor: Actor
    ) async throws {
        _ = try await fixture.test.services.decideSubmission(
            id, draft, version: nil, by: actor)
    }

    private let rejection = Decision.Draft(verdict: .reject, reason: .offTopic, message: "We write about cities.")
    private let changeRequest = Decision.Draft(verdict: .requestChanges, message: "Name the cafés, please.")

    @Test(
        "The page shows the state of a submission to anyone with its link, without an account or navigation")
    func states() async throws {
        let fixture = try await AdminFixture.make()
        let ann = try await fixture.test.actor(.publisher, name: "Ann")
        let id = try await fixture.submit("Ten cafés")
        let visitor = fixture.stranger
        let whole = try await visitor.send("GET", try link(id), [], headers: ["Accept-Encoding": "br"])
        #expect(whole.headers["Content-Encoding"] == nil, "S12: the URLs of the page contain the token of the link")
        let page = try await visitor.visit(try link(id))
        #expect(page.status == 200 && page.says("Pending") && page.says("Ten cafés") && page.says("Hello world"))
        #expect(page.headers["X-Robots-Tag"] == "noindex, nofollow")
        #expect(page.headers["Cache-Control"] == "private, no-store")
        #expect(!page.html.contains("<script") && !page.html.contains("<nav") && !page.html.contains("/login"))
        #expect(!page.says("user-1"))

        try await decide(fixture, id, rejection, by: ann)
        let rejected = try await visitor.visit(try link(id))
        #expect(rejected.says("Rejected") && rejected.says("Off topic") && rejected.says("We write about cities."))
        #expect(!rejected.says("Ann"))
        try await fixture.test.services.undoDecision(id, version: nil, by: ann)
        let undone = try await visitor.visit(try link(id))
        #expect(undone.says("Pending") && undone.says("reviewing it again") && !undone.says("We write about cities."))

        let feed = try await fixture.feed()
        try await decide(
            fixture, id, Decision.Draft(verdict: .approve, feeds: [feed], publishTiming: .approveOnly), by: ann)
        #expect(try await visitor.visit(try link(id)).says("Approved"))
        try await fixture.test.services.undoDecision(id, version: nil, by: ann)
        try await decide(fixture, id, Decision.Draft(verdict: .approve, feeds: [feed], publishTiming: .now), by: ann)
        #expect(try await visitor.visit(try link(id)).says("Published"))
    }

    @Test("S43: forged, foreign, revoked and expired links get the same response as unknown ones; too many are refused")
    func links() async throws {
        let fixture = try await AdminFixture.make()
        let id = try await fixture.submit(email: "carl@example.org")
        let visitor = fixture.stranger
        func response(_ url: String) async throws -> String {
            let page = try await visitor.visit(url)
            return "\(page.status) \(page.headers["X-Robots-Tag"] ?? "") \(page.text)"
                .replacing(/Request ID.*/.dotMatchesNewlines(), with: "")
        }
        let unknown = try await response(try link(ID(UUIDv7.make())))
        #expect(unknown.hasPrefix("404 noindex"))
        let right = try link(id)
        let forged = String(right.dropLast(3)) + (right.hasSuffix("AAA") ? "BBA" : "AAA")
        #expect(try await response(forged) == unknown)
        #expect(try await response("/s/x") == unknown)
        #expect(try await visitor.visit(right).status == 200)

        let browser = try await fixture.browser(.curator)
        let review = try await browser.visit("/queue/\(id)")
        #expect(review.holds("data-offered>Send a new status link"), "the palette offers it")
        let replaced = try await browser.press("Send a new status link", on: review)
        #expect(replaced.says("The old status link no longer works."))
        #expect(!replaced.html.contains("/s/"))
        let mail = try await fixture.test.client.query("select recipient, key, link, body from ops.outbox_message")
        #expect(try mail.map { try $0("recipient") as String } == ["carl@example.org"])
        #expect(try mail.map { try $0("key") as String } == ["mail.status_link"])
        #expect(try mail.map { try $0("link") as String } == ["status"])
        #expect(try mail.allSatisfy { !(try $0("body") as String).contains("/s/") })
        #expect(try await response(right) == unknown)
        #expect(try await visitor.visit(try link(id, edition: 2)).status == 200)

        // The link opens until one minute before a year after the last action; at a year it does not.
        let moved: SQL = "update curation.submission set received_at = clock_timestamp() - interval '365 days'"
        try await fixture.test.superuser().execute(moved + " + interval '1 minute'")
        #expect(try await visitor.visit(try link(id, edition: 2)).status == 200)
        try await fixture.test.superuser().execute(moved)
        #expect(try await response(try link(id, edition: 2)) == unknown)

        try await fixture.test.client.execute("delete from ops.sign_in_failure")
        for number in 1...TrackSubmission.perIP + 1 {
            let page = try await visitor.visit("/s/\(number)")
            #expect(page.status == (number <= TrackSubmission.perIP ? 404 : 429))
        }
    }

    @Test(
        "A resubmission is accepted once per request: it adds a version to the queue, and reviewers see the changes")
    func resubmission() async throws {
        let fixture = try await AdminFixture.make()
        let ann = try await fixture.test.actor(.curator, name: "Ann")
        let id = try await fixture.submit("Ten cafés")
        let visitor = fixture.stranger
        try await decide(fixture, id, changeRequest, by: ann)
        var form = try await visitor.visit(try link(id)).form("Resubmit")
        #expect(form.value("field.title") == "Ten cafés")
        #expect(form.value("field.feeds") == nil, "references to our own content are not shown to contributors")
        #expect(form.value("field.body") == "Hello **world**", "nobody writes HTML")
        try form.fill("field.title", "")
        try form.fill("field.body", "Hello **kept**")
        let wrong = try await visitor.press("Resubmit", in: form)
        #expect(wrong.status == 422 && wrong.says("Title is required."))
        #expect(try wrong.form("Resubmit").value("field.body") == "Hello **kept**")
        #expect(try await fixture.state(id) == .changesRequested)

        try form.fill("field.title", "Eleven cafés")
        let sent = try await visitor.press("Resubmit", in: form)
        #expect(sent.says("Your changes were submitted.") && sent.says("We received your changes"))
        #expect(!sent.hasButton("Resubmit"))
        #expect(try await fixture.state(id) == .pending)
        let twice = try await visitor.press("Resubmit", in: form)
        #expect(twice.status == 409 && twice.says("No changes are requested any more."))

        let submission = try #require(try await fixture.test.database.submissions.find(id))
        #expect(submission.title == "Eleven cafés" && submission.version == 2)
        let versions = try await fixture.test.database.contributors.versions(of: id)
        #expect(versions.map(\.number) == [1, 2])
        #expect(versions.first?.fields["title"] == "Ten cafés")
        let browser = try await fixture.browser(.curator)
        let review = try await browser.visit("/queue/\(id)")
        #expect(review.says("Changes in the resubmission") && review.says("Version 2"))
        #expect(review.html.contains("<ins>") && review.says("Resubmitted"))
        // Changes can be requested again, and then it can be resubmitted again.
        try await decide(fixture, id, changeRequest, by: ann)
        let again = try await visitor.press(
            "Resubmit", in: try await visitor.visit(try link(id)).form("Resubmit"))
        #expect(again.says("Your changes were submitted."))
        #expect(try await fixture.test.database.contributors.versions(of: id).count == 3)
    }

    @Test(
        "A reviewer's notes stand at their fields, for the contributor and the next reviewer; wrong ones keep the text")
    func fieldNotes() async throws {
        let fixture = try await AdminFixture.make()
        let id = try await fixture.submit("Ten cafés")
        let curator = try await fixture.browser(.curator)
        var form = try await curator.visit("/queue/\(id)").form("Request changes")
        try form.fill("message", "Nearly there.")
        try form.fill("field_note.title", String(repeating: "x", count: FieldNotes.maxLength + 1))
        try form.fill("field_note.body", "Which harbor?")
        let wrong = try await curator.press("Request changes", in: form)
        #expect(wrong.status == 422 && wrong.says("at most 500 are allowed."))
        let kept = try wrong.form("Request changes")
        #expect(kept.value("field_note.body") == "Which harbor?" && kept.value("message") == "Nearly there.")
        try form.fill("field_note.title", "Name the cafés.")
        _ = try await curator.press("Request changes", in: form)
        #expect(try await fixture.state(id) == .changesRequested)

        let visitor = fixture.stranger
        let page = try await visitor.visit(try link(id))
        #expect(page.says("Nearly there.") && page.says("We requested changes") && page.says("Your turn"))
        let html = page.html
        let title = try #require(html.firstRange(of: "id=\"field-title-note\""))
        let input = try #require(html.firstRange(of: "id=\"field-title\""))
        #expect(
            title.upperBound < input.lowerBound && html[title.upperBound...].prefix(120).contains("Name the cafés."))
        #expect(html.contains("aria-describedby=\"field-title-hint field-title-note\""))
        #expect(!page.says("Feeds") && !page.says("Media library ID"))

        var resubmission = try page.form("Resubmit")
        try resubmission.fill("field.title", "")
        let refused = try await visitor.press("Resubmit", in: resubmission)
        #expect(refused.status == 422 && refused.says("Which harbor?"), "the notes stay with an error")
        try resubmission.fill("field.title", "Ten cafés with names")
        let upload = Upload(
            name: "upload.image", filename: "x.png", contentType: "image/png", bytes: SmallImage.bytes)
        let fields = try resubmission.fields(pressing: "Resubmit").filter { $0.0 != "field.image" }
        let alt = ["", "A harbor", "", "", ""].map { ("field.image", $0) }
        let sent = try await visitor.follow(
            try await visitor.send("POST", resubmission.action, fields + alt, uploads: [upload]))
        #expect(sent.says("Your changes were submitted.") && sent.says("You sent your changes"))
        let row = try #require(try await fixture.test.database.submissions.find(id))
        #expect(row.fields["image"]?["media"] != nil && row.fields["image"]?["alt"]?.stringValue == "A harbor")
        let other = try await fixture.browser(.curator, name: "Bob")
        let review = try await other.visit("/queue/\(id)")
        #expect(review.says("Name the cafés.") && review.says("Which harbor?"))
    }

    @Test("Only somebody who may resubmit adds images")
    func imagesNeedARequest() async throws {
        let fixture = try await AdminFixture.make()
        let id = try await fixture.submit()
        let visitor = fixture.stranger
        try await decide(fixture, id, changeRequest, by: try await fixture.test.actor(.curator))
        let form = try await visitor.visit(try link(id)).form("Resubmit")
        _ = try await visitor.press("Resubmit", in: form)
        let upload = Upload(
            name: "upload.image", filename: "x.png", contentType: "image/png", bytes: SmallImage.bytes)
        let late = try await visitor.send(
            "POST", form.action, try form.fields(pressing: "Resubmit"), uploads: [upload])
        #expect(late.status == 409)
        let count: Int64 = try await fixture.test.client.one("select count(*) as n from ops.media")("n")
        #expect(count == 0)
    }

    @Test("S47: a link brings a limited number of files, although none of its forms is complete")
    func filesAreLimited() async throws {
        let fixture = try await AdminFixture.make()
        let id = try await fixture.submit()
        try await decide(fixture, id, changeRequest, by: try await fixture.test.actor(.curator))
        let most = ResubmitSubmission.filesPerSubmission
        let limit = AttemptLimit("resubmission-files:\(id)", most: most)
        for _ in 1..<most { _ = try await fixture.test.database.attempts.count([limit], minutes: 60) }
        for (number, status) in [422, 429].enumerated() {
            let visitor = fixture.stranger
            let form = try await visitor.visit(try link(id)).form("Resubmit")
            let upload = Upload(
                name: "upload.image", filename: "x.png", contentType: "image/png",
                bytes: SmallImage.bytes + [UInt8(number)])
            let fields = try form.fields(pressing: "Resubmit").filter { $0.0 != "field.title" }
            let sent = try await visitor.send(
                "POST", form.action, fields + [("field.title", "")], uploads: [upload])
            #expect(sent.status == status)
        }
        let count: Int64 = try await fixture.test.client.one("select count(*) as n from ops.media")("n")
        #expect(count == 1)
    }

    @Test("Of concurrent resubmissions one is accepted; the others are conflicts and write nothing")
    func concurrentResubmissions() async throws {
        let fixture = try await AdminFixture.make()
        let id = try await fixture.submit()
        try await decide(fixture, id, changeRequest, by: try await fixture.test.actor(.curator))
        let track = fixture.test.services.trackSubmission(AdminFixture.statusKey)
        let opened = try await track.open(String(try link(id).dropFirst(3)), from: "192.0.2.1")
        guard case .found(let tracked) = opened else {
            Issue.record("the link doesn't open")
            return
        }
        let resubmit = fixture.test.services.resubmitSubmission
        let accepted = await withTaskGroup(of: Bool.self) { group in
            for number in 1...5 {
                group.addTask {
                    let fields: [String: JSONValue] = ["title": .string("T\(number)"), "body": "<p>x</p>"]
                    do {
                        try await resubmit(tracked, fields, from: "192.0.2.1")
                        return true
                    } catch Failure.conflict {
                        return false
                    } catch {
                        Issue.record(error)
                        return false
                    }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(accepted == 1)
        #expect(try await fixture.test.database.contributors.versions(of: id).count == 2)
        #expect(try await fixture.state(id) == .pending)
    }

    @Test("A resubmission keeps the field that its type had when the submission was sent")
    func undeclared() async throws {
        let fixture = try await AdminFixture.make()
        let id = try await fixture.submit(fields: ["summary": "Short."])
        try await decide(fixture, id, changeRequest, by: try await fixture.test.actor(.curator))
        let track = fixture.test.services.trackSubmission(AdminFixture.statusKey)
        guard case .found(let tracked) = try await track.open(String(try link(id).dropFirst(3)), from: "192.0.2.1")
        else {
            Issue.record("the link doesn't open")
            return
        }
        let rules = try TestDatabase.rules(without: "summary", of: "article")
        try await fixture.test.services(content: rules).resubmitSubmission(
            tracked, ["title": "Again", "body": "<p>x</p>"], from: "192.0.2.1")
        let fields = try #require(try await fixture.test.database.submissions.find(id)).fields
        #expect(fields == ["title": "Again", "body": "<p>x</p>", "summary": "Short."])
    }

    @Test("There is one appeal, which the rejecting reviewer may not decide; the database rejects a second one")
    func appeal() async throws {
        let fixture = try await AdminFixture.make()
        let ann = try await fixture.test.actor(.curator, name: "Ann", from: "192.0.2.7")
        let bob = try await fixture.test.actor(.curator, name: "Bob", from: "192.0.2.7")
        let id = try await fixture.submit()
        let visitor = fixture.stranger
        try await decide(fixture, id, rejection, by: ann)
        var form = try await visitor.visit(try link(id)).form("Send appeal")
        try form.fill("text", " ")
        let blank = try await visitor.press("Send appeal", in: form)
        #expect(blank.status == 422 && blank.says("Explain why the decision should be reviewed."))
        try form.fill("text", String(repeating: "é", count: Appeal.maxLength + 1))
        let long = try await visitor.press("Send appeal", in: form)
        #expect(long.status == 422 && long.says("2001 characters; at most 2000 are allowed."))
        try form.fill("text", String(repeating: "é", count: Appeal.maxLength))
        let sent = try await visitor.press("Send appeal", in: form)
        #expect(sent.says("Your appeal was submitted.") && !sent.hasButton("Send appeal"))
        #expect(try await fixture.state(id) == .pending)
        #expect(try await fixture.test.database.queue.find(id)?.reopenedBy == "appeal")
        let own = try await fixture.browser(of: ann).visit("/queue/\(id)")
        #expect(own.says("You rejected this submission. Another person or an administrator must decide the appeal."))
        #expect(!own.hasButton("Reject") && own.form(id: "approve").isEmpty && own.hasButton("Assign"))
        let reviewer = fixture.browser(of: bob)
        #expect(try await reviewer.visit("/queue/\(id)").hasButton("Reject"))
        #expect(try await reviewer.visit("/queue").says("Appeals 1"))

        do {
            try await decide(fixture, id, rejection, by: ann)
            Issue.record("decided by the reviewer who rejected it")
        } catch Failure.refused(_, let message) {
            #expect(message.hasPrefix("You rejected this submission. Another person"))
        }
        let bulkAction = try await fixture.test.services.planBulkAction(.reject, .listed([id]), by: ann)
        let done = try await fixture.test.services.runBulkAction(
            bulkAction, .decide(rejection), by: ann)
        #expect(done.count(.skipped) == 1)
        #expect(try await fixture.test.database.bulkActions.items(of: bulkAction, limit: 9).map(\.reason) == ["appeal"])

        try await decide(fixture, id, rejection, by: bob)
        let page = try await visitor.visit(try link(id))
        #expect(page.says("Rejected") && page.says("looked at it again after your appeal"))
        #expect(!page.hasButton("Send appeal"))
        #expect(try await reviewer.visit("/queue/decided?reopened_by=appeal").says("After an appeal"))
        #expect(try await reviewer.visit("/queue/decided?reopened_by=resubmit").says("No matching decisions"))
        let second = try await visitor.press("Send appeal", in: form)
        #expect(second.status == 409 && second.says("This submission was already appealed."))
        #expect(try await fixture.state(id) == .rejected)
    }

    @Test(
        "An administrator may decide an appeal against their own rejection, and only rejections can be appealed")
    func administrator() async throws {
        let fixture = try await AdminFixture.make()
        let carol = try await fixture.test.actor(.administrator, name: "Carol")
        let id = try await fixture.submit()
        let visitor = fixture.stranger
        try await decide(fixture, id, rejection, by: carol)
        var form = try await visitor.visit(try link(id)).form("Send appeal")
        try form.fill("text", "Look again.")
        try await fixture.test.services.undoDecision(id, version: nil, by: carol)
        let early = try await visitor.press("Send appeal", in: form)
        #expect(early.status == 409 && early.says("be appealed."))
        try await decide(fixture, id, rejection, by: carol)
        #expect(try await visitor.press("Send appeal", in: form).status == 200)
        let browser = try await fixture.browser(.curator)
        let review = try await browser.visit("/queue/\(id)")
        #expect(review.says("Look again.") && review.says("Against the rejection by Carol"))
        try await decide(fixture, id, rejection, by: carol)
        #expect(try await fixture.state(id) == .rejected)
    }

    @Test("S15: a restricted curator can't replace a status link outside the access scope, and nobody without an email")
    func linkScope() async throws {
        let fixture = try await AdminFixture.make()
        let video = try await fixture.submit("Film", type: "video", email: "carl@example.org")
        let silent = try await fixture.submit()
        let ann = try await fixture.test.actor(.curator, name: "Ann")
        let track = fixture.test.services.trackSubmission(AdminFixture.statusKey)
        let restricted = Actor(
            kind: .account, id: ann.id, name: "Ann", role: .curator, scope: AccessScope(types: ["article"], groups: []))
        await #expect(throws: Failure.missing("submission")) {
            try await track.rotateLink(of: video, by: restricted)
        }
        await #expect(throws: Failure.self) { try await track.rotateLink(of: silent, by: ann) }
        #expect(try await fixture.test.database.contributors.edition(of: video) == 1)
        #expect(try await fixture.test.database.contributors.edition(of: silent) == 1)
        let page = try await fixture.browser(.curator).visit("/queue/\(silent)")
        #expect(!page.hasButton("Send a new status link"))
        try await track.rotateLink(of: video, by: ann)
        #expect(try await fixture.test.database.contributors.edition(of: video) == 2)
    }

    @Test("S12: a form that was not sent by our own page changes nothing")
    func forgedForm() async throws {
        let fixture = try await AdminFixture.make()
        let id = try await fixture.submit()
        try await decide(fixture, id, rejection, by: try await fixture.test.actor(.curator))
        let page = try await fixture.stranger.send("POST", try link(id) + "/appeal", [("text", "x")])
        #expect(page.status == 403)
        #expect(try await fixture.state(id) == .rejected)
    }

    @Test("S15: status pages are open to anyone; only staff may send a new link")
    func access() {
        let pages = AdminSite.endpoints(TestDatabase.packs).filter { $0.pattern.hasPrefix("/s/{token}") }
        #expect(pages.allSatisfy { if case .anyone = $0.access { true } else { false } } && pages.count == 3)
        let link = AdminSite.endpoints(TestDatabase.packs).first { $0.pattern == "/queue/{id}/status-link" }
        if case .may(.decide) = link?.access {} else { Issue.record("who may send a new link: \(link as Any)") }
    }
}
