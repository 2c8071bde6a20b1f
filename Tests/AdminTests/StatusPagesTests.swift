// Tests the contributor's loop in the browser: the status page, answers to a return, the appeal, and who may decide it.
import Domain
import FoundationEssentials
import HTTP
import Platform
import Postgres
import Review
import Store
import TestSupport
import Testing

@testable import Admin

@Suite("Status pages", .databases)
struct StatusPagesTests {
    private func link(_ id: ID<Submission>, edition: Int = 1) throws -> String {
        "/s/" + (try #require(Desk.statusKey)).text(for: id.bytes, edition: edition)
    }

    private func decide(_ desk: Desk, _ id: ID<Submission>, _ draft: Decision.Draft, by actor: Actor) async throws {
        _ = try await DecideSubmission(database: desk.test.database, rules: desk.test.rules)(
            id, draft, version: nil, by: actor)
    }

    private let rejection = Decision.Draft(verdict: .reject, reason: .offTopic, message: "We write about cities.")
    private let requestedCategory = Decision.Draft(verdict: .requestChanges, message: "Name the cafés, please.")

    @Test(
        "The page says how a submission stands, in words, to whoever holds its link, without an account or navigation")
    func states() async throws {
        let desk = try await Desk.make()
        let ann = try await desk.test.actor(.publisher, name: "Ann")
        let id = try await desk.submit("Ten cafés")
        let visitor = desk.stranger
        let page = try await visitor.visit(try link(id))
        #expect(page.status == 200 && page.says("Waiting") && page.says("Ten cafés") && page.says("Hello world"))
        #expect(page.headers["X-Robots-Tag"] == "noindex, nofollow")
        #expect(page.headers["Cache-Control"] == "private, no-store")
        #expect(!page.html.contains("<script") && !page.html.contains("<nav") && !page.html.contains("/login"))
        #expect(!page.says("user-1"))

        try await decide(desk, id, rejection, by: ann)
        let rejected = try await visitor.visit(try link(id))
        #expect(rejected.says("Not accepted") && rejected.says("Off topic") && rejected.says("We write about cities."))
        #expect(!rejected.says("Ann"))
        try await UndoDecision(database: desk.test.database)(id, version: nil, by: ann)
        let undone = try await visitor.visit(try link(id))
        #expect(undone.says("Waiting") && undone.says("once more") && !undone.says("We write about cities."))

        let feed = try await desk.feed()
        try await decide(desk, id, Decision.Draft(verdict: .approve, feeds: [feed], publishTiming: .approveOnly), by: ann)
        #expect(try await visitor.visit(try link(id)).says("Approved"))
        try await UndoDecision(database: desk.test.database)(id, version: nil, by: ann)
        try await decide(desk, id, Decision.Draft(verdict: .approve, feeds: [feed], publishTiming: .now), by: ann)
        #expect(try await visitor.visit(try link(id)).says("Published"))
    }

    @Test("S43: a forged, foreign, revoked or expired link gets the answer of one that never was; too many are refused")
    func links() async throws {
        let desk = try await Desk.make()
        let id = try await desk.submit()
        let visitor = desk.stranger
        func answer(_ address: String) async throws -> String {
            let page = try await visitor.visit(address)
            return "\(page.status) \(page.headers["X-Robots-Tag"] ?? "") \(page.words)"
                .replacing(/Number.*/.dotMatchesNewlines(), with: "")
        }
        let never = try await answer(try link(ID(UUIDv7.make())))
        #expect(never.hasPrefix("404 noindex"))
        let right = try link(id)
        let forged = String(right.dropLast(3)) + (right.hasSuffix("AAA") ? "BBA" : "AAA")
        #expect(try await answer(forged) == never)
        #expect(try await answer("/s/x") == never)
        #expect(try await visitor.visit(right).status == 200)

        let browser = try await desk.browser(.curator)
        let review = try await browser.visit("/queue/\(id)")
        let replaced = try await browser.press("Replace the status link", on: review)
        #expect(replaced.says("the one that is out works no more"))
        #expect(try replaced.link("The new status page") == (try link(id, edition: 2)))
        #expect(try await answer(right) == never)
        #expect(try await visitor.visit(try link(id, edition: 2)).status == 200)

        // A year less a minute after the last action it opens; at a year it does not.
        let moved: SQL = "update curation.submission set received_at = clock_timestamp() - interval '365 days'"
        try await desk.test.superuser().execute(moved + " + interval '1 minute'")
        #expect(try await visitor.visit(try link(id, edition: 2)).status == 200)
        try await desk.test.superuser().execute(moved)
        #expect(try await answer(try link(id, edition: 2)) == never)

        try await desk.test.client.execute("delete from ops.sign_in_failure")
        for number in 1...FollowSubmission.perIP + 1 {
            let page = try await visitor.visit("/s/\(number)")
            #expect(page.status == (number <= FollowSubmission.perIP ? 404 : 429))
        }
    }

    @Test(
        "A return is answered once with the changed fields: a new version in the queue, and curators see what changed")
    func answer() async throws {
        let desk = try await Desk.make()
        let ann = try await desk.test.actor(.curator, name: "Ann")
        let id = try await desk.submit("Ten cafés")
        let visitor = desk.stranger
        try await decide(desk, id, requestedCategory, by: ann)
        var form = try await visitor.visit(try link(id)).form("Send it again")
        #expect(form.value("field.title") == "Ten cafés")
        #expect(form.value("field.feeds") == nil, "what stands in our own content is not for contributors")
        try form.fill("field.title", "")
        try form.fill("field.body", "<p>Hello <b>kept</b></p>")
        let wrong = try await visitor.press("Send it again", in: form)
        #expect(wrong.status == 422 && wrong.says("Title: this is needed."))
        #expect(try wrong.form("Send it again").value("field.body") == "<p>Hello <b>kept</b></p>")
        #expect(try await desk.state(id) == .changesRequested)

        try form.fill("field.title", "Eleven cafés")
        let sent = try await visitor.press("Send it again", in: form)
        #expect(sent.says("It is in the queue again.") && sent.says("We have what you sent again"))
        #expect(!sent.hasButton("Send it again"))
        #expect(try await desk.state(id) == .pending)
        let twice = try await visitor.press("Send it again", in: form)
        #expect(twice.status == 409 && twice.says("Nothing is asked of you any more."))

        let submission = try #require(try await desk.test.database.submissions.find(id))
        #expect(submission.title == "Eleven cafés" && submission.version == 2)
        let versions = try await desk.test.database.contributors.versions(of: id)
        #expect(versions.map(\.number) == [1, 2])
        #expect(versions.first?.fields["title"] == "Ten cafés")
        let browser = try await desk.browser(.curator)
        let review = try await browser.visit("/queue/\(id)")
        #expect(review.says("Changed since it was returned") && review.says("Version 2"))
        #expect(review.html.contains("<ins>") && review.says("sent again"))
        // It may be returned once more, and then answered once more.
        try await decide(desk, id, requestedCategory, by: ann)
        let again = try await visitor.press(
            "Send it again", in: try await visitor.visit(try link(id)).form("Send it again"))
        #expect(again.says("It is in the queue again."))
        #expect(try await desk.test.database.contributors.versions(of: id).count == 3)
    }

    @Test("Of answers that come at the same time one is taken; the others are conflicts and leave nothing behind")
    func notModifiedFastPaths() async throws {
        let desk = try await Desk.make()
        let id = try await desk.submit()
        try await decide(desk, id, requestedCategory, by: try await desk.test.actor(.curator))
        let follow = FollowSubmission(database: desk.test.database, key: Desk.statusKey, days: 1)
        let opened = try await follow.open(String(try link(id).dropFirst(3)), from: "192.0.2.1")
        guard case .found(let followed) = opened else {
            Issue.record("the link opens nothing")
            return
        }
        let answer = ResubmitSubmission(database: desk.test.database, rules: desk.test.rules)
        let taken = await withTaskGroup(of: Bool.self) { group in
            for number in 1...5 {
                group.addTask {
                    let fields: [String: JSONValue] = ["title": .string("T\(number)"), "body": "<p>x</p>"]
                    do {
                        try await answer(followed, fields, from: "192.0.2.1")
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
        #expect(taken == 1)
        #expect(try await desk.test.database.contributors.versions(of: id).count == 2)
        #expect(try await desk.state(id) == .pending)
    }

    @Test("There is one appeal: it names who rejected, who may not decide it; a second one is refused by the database")
    func appeal() async throws {
        let desk = try await Desk.make()
        let ann = try await desk.test.actor(.curator, name: "Ann")
        let bob = try await desk.test.actor(.curator, name: "Bob")
        let id = try await desk.submit()
        let visitor = desk.stranger
        try await decide(desk, id, rejection, by: ann)
        var form = try await visitor.visit(try link(id)).form("Send the appeal")
        try form.fill("text", " ")
        let blank = try await visitor.press("Send the appeal", in: form)
        #expect(blank.status == 422 && blank.says("Say why it should be looked at again."))
        try form.fill("text", String(repeating: "é", count: Appeal.maxLength + 1))
        let long = try await visitor.press("Send the appeal", in: form)
        #expect(long.status == 422 && long.says("2001 characters; at most 2000 are allowed."))
        try form.fill("text", String(repeating: "é", count: Appeal.maxLength))
        let sent = try await visitor.press("Send the appeal", in: form)
        #expect(sent.says("Somebody else than before looks at it.") && !sent.hasButton("Send the appeal"))
        #expect(try await desk.state(id) == .pending)
        #expect(try await desk.test.database.queue.find(id)?.reopenedBy == "appeal")

        do {
            try await decide(desk, id, rejection, by: ann)
            Issue.record("decided by whoever rejected it")
        } catch Failure.refused(_, let message) {
            #expect(message.hasPrefix("You rejected this, so somebody else decides"))
        }
        let bulkAction = try await PlanBulkAction(database: desk.test.database)(.reject, .these([id]), by: ann)
        let done = try await RunBulkAction(database: desk.test.database, rules: desk.test.rules)(
            bulkAction, .decide(rejection), by: ann)
        #expect(done.count(.skipped) == 1)
        #expect(try await desk.test.database.bulkActions.items(of: bulkAction, limit: 9).map(\.reason) == ["appeal"])

        try await decide(desk, id, rejection, by: bob)
        let page = try await visitor.visit(try link(id))
        #expect(page.says("Not accepted") && page.says("looked at again after your appeal"))
        #expect(!page.hasButton("Send the appeal"))
        let second = try await visitor.press("Send the appeal", in: form)
        #expect(second.status == 409 && second.says("An appeal was sent before."))
        #expect(try await desk.state(id) == .rejected)
    }

    @Test(
        "An administrator may decide the appeal against an own rejection, and no one may appeal what was not rejected")
    func administrator() async throws {
        let desk = try await Desk.make()
        let carol = try await desk.test.actor(.administrator, name: "Carol")
        let id = try await desk.submit()
        let visitor = desk.stranger
        try await decide(desk, id, rejection, by: carol)
        var form = try await visitor.visit(try link(id)).form("Send the appeal")
        try form.fill("text", "Look again.")
        try await UndoDecision(database: desk.test.database)(id, version: nil, by: carol)
        let early = try await visitor.press("Send the appeal", in: form)
        #expect(early.status == 409 && early.says("There is nothing to appeal against now."))
        try await decide(desk, id, rejection, by: carol)
        #expect(try await visitor.press("Send the appeal", in: form).status == 200)
        let browser = try await desk.browser(.curator)
        let review = try await browser.visit("/queue/\(id)")
        #expect(review.says("Look again.") && review.says("Against the rejection by Carol"))
        try await decide(desk, id, rejection, by: carol)
        #expect(try await desk.state(id) == .rejected)
    }

    @Test("S12: an answer that our own page did not send changes nothing")
    func forgedForm() async throws {
        let desk = try await Desk.make()
        let id = try await desk.submit()
        try await decide(desk, id, rejection, by: try await desk.test.actor(.curator))
        let page = try await desk.stranger.send("POST", try link(id) + "/appeal", [("text", "x")])
        #expect(page.status == 403)
        #expect(try await desk.state(id) == .rejected)
    }

    @Test("S15: the pages of status links are open to anyone, replacing a link is for curators alone")
    func rows() {
        let open = StatusPages.routes.filter { if case .anyone = $0.access { true } else { false } }
        #expect(open.allSatisfy { $0.pattern.hasPrefix("/s/{token}") } && open.count == 3)
        #expect(StatusPages.routes.count == 4)
    }
}
