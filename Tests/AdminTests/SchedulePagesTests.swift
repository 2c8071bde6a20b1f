// Walks the schedule and the publications: canceling, trying again, planning and publishing what waits.
import Domain
import Editorial
import Publishing
import Store
import TestSupport
import Testing

@Suite("The pages of schedule and publications", .databases)
struct SchedulePagesTests {
    @Test("A scheduled release is shown with its local time and zone, and canceled; what it held waits again")
    func cancel() async throws {
        let site = try await EditorSite.make()
        let visit = try await site.visitor(.publisher)
        #expect(try await visit.get("/schedule").holds("Nothing is scheduled."))
        let later = try await site.article("Later", .at(WallTime(local: "2099-06-01T18:00", zone: "Europe/London")))
        let sooner = try await site.article("Sooner", .at(WallTime(local: "2098-01-01T09:30", zone: "UTC")))
        let page = try await visit.get("/schedule")
        #expect(page.holds("2099-06-01 18:00 Europe/London") && page.holds("2098-01-01 09:30 UTC"))
        #expect(page.holds("2099-06-01 17:00 UTC"))
        #expect(page.holds("goes live</span>") && page.holds("version 1, <a href=\"/releases/"))
        let order = ["Sooner", "Later"].compactMap { page.html.firstRange(of: ">\($0)<")?.lowerBound }
        #expect(order.count == 2 && order == order.sorted())
        guard let held = try await site.test.database.entries.find(later)?.heldBy else {
            Issue.record("no release holds it")
            return
        }
        let canceled = try await visit.post("/releases/\(held)/cancel", [])
        let after = try await visit.follow(canceled)
        #expect(after.holds("Release \(held) is canceled.") && after.holds("<span class=\"tag \">canceled</span>"))
        #expect(try await site.test.database.publications.ready().map(\.entry) == [later])
        #expect(try await visit.post("/releases/\(held)/cancel", []).status == 409)
        #expect(try await visit.post("/releases/9999/cancel", []).status == 404)
        #expect(try await visit.post("/releases/x/cancel", []).status == 404)
        #expect(try await site.test.database.entries.find(sooner)?.heldBy != nil)
    }

    @Test("Finished releases say how late they were, and failed ones why")
    func finished() async throws {
        let site = try await EditorSite.make()
        let visit = try await site.visitor(.curator)
        let publish = PublishRelease(database: site.test.database)
        let past = try WallTime(local: "2020-01-01T00:00", zone: "UTC")
        _ = try await site.article("Good", .at(past))
        // An item without a live category is refused when its time has come.
        _ = try await site.make("article", ["title": "Bad", "body": "<p>x</p>"], .at(past))
        let due = try await publish.due()
        #expect(due.count == 2)
        let page = try await visit.get("/schedule")
        #expect(page.holds("<span class=\"tag ok\">published</span>") && page.holds("publication 2"))
        #expect(page.holds("<span class=\"tag bad\">failed</span>"))
        #expect(page.holds(" y</td>"), "years late")
        #expect(!page.holds("/cancel\""))
        let reason = try await site.test.database.releases.finished().first { $0.state == .failed }?.failure ?? "-"
        #expect(page.holds(reason.replacing("\"", with: "&quot;")) || page.holds(reason))
    }

    @Test("R19: a failed job is shown with its reason, and tried again")
    func retry() async throws {
        let site = try await EditorSite.make()
        let visit = try await site.visitor(.publisher)
        let tasks = site.test.database.tasks
        try await tasks.add(kind: "sweep_tasks", payload: .object([:]), maxAttempts: 1)
        guard let task = try await tasks.begin() else {
            Issue.record("there is no job")
            return
        }
        try await tasks.fail(task.id, error: "the <moon> was full")
        let page = try await visit.get("/schedule")
        #expect(page.holds("sweep_tasks") && page.holds("the &lt;moon&gt; was full"))
        let path = "/jobs/\(task.id.uuidString.lowercased())/retry"
        let again = try await visit.fill(page, path, [])
        #expect(try await visit.follow(again).holds("The job sweep_tasks will be tried again now."))
        #expect(try await visit.post(path, []).status == 409)
        #expect(try await visit.post("/jobs/1/retry", []).status == 404)
    }

    @Test("The plan of a publication is what happens, row by row")
    func plan() async throws {
        let site = try await EditorSite.make()
        let visit = try await site.visitor(.publisher)
        let shown = try await site.article("Shown")
        try await site.change(shown, "title", to: "Shown anew", .approveOnly)
        _ = try await site.article("Fresh", .approveOnly)
        _ = try await site.article("Draft", nil)
        let planned = try await PublishRelease(database: site.test.database).plan().plan.rows
        let before = try await site.test.database.publications.current()
        let page = try await visit.get("/publications/plan")
        #expect(page.status == 200)
        let inserted = planned.count { $0.operation == "insert" }
        let updated = planned.count { $0.operation == "update" }
        #expect(inserted > 0 && updated > 0)
        #expect(page.holds("\(planned.count) rows: \(inserted) new, \(updated) changed, 0 gone."))
        #expect(page.holds("<dt>title</dt><dd dir=\"auto\"><del>Shown</del> <ins>Shown anew</ins></dd>"))
        #expect(page.holds("version 2, in place of version 1") && page.holds("version 1, not live so far"))
        #expect(!page.holds("Draft</a>"))
        // Looking changes nothing.
        #expect(try await site.test.database.publications.current() == before)

        let published = try await visit.fill(page, "/publications", [])
        let log = try await visit.follow(published)
        #expect(log.holds("2 entries are live now: publication \(before + 1).") && log.holds("what was waiting"))
        let rows: [String] = try await site.test.client.query(
            "select read_table || operation || key as line from api_v1.change where publication = \(before + 1)"
        ).map { try $0("line") }
        #expect(Set(rows) == Set(planned.map { $0.table + $0.operation + $0.key }))
        #expect(log.holds("+\(inserted) / ~\(updated) / −0"))
        #expect(try await site.rows("item", "title") == ["Fresh", "Shown anew"])
        let empty = try await visit.get("/publications/plan")
        #expect(empty.holds("Nothing waits") && !empty.holds("action=\"/publications\""))
    }

    @Test("R21: when other things wait than the plan showed, nothing is published and the new plan is shown")
    func moved() async throws {
        let site = try await EditorSite.make()
        let visit = try await site.visitor(.publisher)
        _ = try await site.article("One", .approveOnly)
        let page = try await visit.get("/publications/plan")
        _ = try await site.article("Two", .approveOnly)
        let before = try await site.test.database.publications.current()
        let late = try await visit.fill(page, "/publications", [])
        #expect(late.status == 409 && late.holds("Other things wait by now") && late.holds(">Two</a>"))
        #expect(try await visit.post("/publications", []).status == 409)
        #expect(try await site.test.database.publications.current() == before)
        #expect(try await visit.fill(late, "/publications", []).status == 303)
        #expect(try await site.test.database.publications.current() == before + 1)
    }

    @Test("A plan of more than 200 rows counts the rest")
    func longPlan() async throws {
        let site = try await EditorSite.make()
        let visit = try await site.visitor(.curator)
        for number in 1...101 {
            _ = try await site.make(
                "category", ["title": .string("C\(number)"), "group": "00000000-0000-7000-8000-000000000012"])
            _ = try await site.article("Article \(number)", .approveOnly)
        }
        let page = try await visit.get("/publications/plan")
        let total = try await PublishRelease(database: site.test.database).plan().plan.rows.count
        #expect(total > 200)
        #expect(page.holds("The first 200 are shown; \(total - 200) more are not."))
        #expect(page.html.split(separator: "<tr>").count == 202)
        #expect(page.holds("1 more entries wait."))
        #expect(page.holds("A publisher can publish this.") && !page.holds("action=\"/publications\""))
    }

    @Test("The log pages without gap or double")
    func log() async throws {
        let site = try await EditorSite.make()
        let visit = try await site.visitor(.curator)
        for number in 1...51 {
            _ = try await site.make(
                "category", ["title": .string("C\(number)"), "group": "00000000-0000-7000-8000-000000000012"])
        }
        let first = try await visit.get("/publications")
        #expect(first.holds(">52</a></th>") && first.holds(">3</a></th>"))
        #expect(!first.holds(">2</a></th>"))
        let end = first.html.firstRange(of: "\" rel=\"next\"")
        let start = end.flatMap { first.html[..<$0.lowerBound].ranges(of: "href=\"").last }
        guard let start, let end else {
            Issue.record("there is no next page")
            return
        }
        let second = try await visit.get(String(first.html[start.upperBound..<end.lowerBound]))
        #expect(second.holds(">2</a></th>") && second.holds(">1</a></th>"))
        #expect(!second.holds(">3</a></th>") && !second.holds("rel=\"next\""))
        #expect(try await visit.get("/publications?cursor=nonsense").status == 422)
    }
}
