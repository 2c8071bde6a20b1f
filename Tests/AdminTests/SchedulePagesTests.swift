// Tests the schedule and publication pages: cancel, retry, plan and publish.
import Domain
import Lists
import Operations
import Store
import TestSupport
import Testing

@testable import Admin

@Suite("Schedule and publication pages", .databases)
struct SchedulePagesTests {
    @Test("A scheduled release is shown with its local time and zone; canceled, its items are pending again")
    func cancel() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .publisher)
        #expect(try await visit.get("/schedule").holds("No scheduled releases."))
        let later = try await site.article("Later", .at(WallTime(local: "2099-06-01T18:00", zone: "Europe/London")))
        let sooner = try await site.article("Sooner", .at(WallTime(local: "2098-01-01T09:30", zone: "UTC")))
        let page = try await visit.get("/schedule")
        #expect(page.holds("2099-06-01 18:00 Europe/London") && page.holds("2098-01-01 09:30 UTC"))
        #expect(page.holds("2099-06-01 17:00 UTC"))
        #expect(page.holds("Publish</span>") && page.holds("version 1, <a href=\"/releases/"))
        let order = ["Sooner", "Later"].compactMap { page.html.firstRange(of: ">\($0)<")?.lowerBound }
        #expect(order.count == 2 && order == order.sorted())
        guard let held = try await site.test.database.entries.find(later)?.release else {
            Issue.record("no release contains it")
            return
        }
        let canceled = try await visit.post("/releases/\(held)/cancel", [])
        let after = try await visit.follow(canceled)
        #expect(after.holds("Release \(held) canceled.") && after.holds("<span class=\"tag \">Canceled</span>"))
        #expect(try await site.test.database.publications.ready().map(\.entry) == [later])
        #expect(try await visit.post("/releases/\(held)/cancel", []).status == 409)
        #expect(try await visit.post("/releases/9999/cancel", []).status == 404)
        #expect(try await visit.post("/releases/x/cancel", []).status == 404)
        #expect(try await site.test.database.entries.find(sooner)?.release != nil)
    }

    @Test("S15: who can't see all of a scheduled release finds no action on it, which would be refused")
    func scope() async throws {
        let site = try await AdminFixture.make()
        let time = try WallTime(local: "2099-06-01T09:00", zone: "UTC")
        let compose = site.test.services.composeRelease
        let own = LiveChange(entry: try await site.article("A walk"), revision: nil)
        let other = LiveChange(entry: try await site.feed(), revision: nil)
        let mixed = try await compose.create(
            title: "Mixed", items: [own, other], at: time, by: TestDatabase.administrator)
        let whole = try await compose.create(
            title: "Whole", items: [own], at: time, by: TestDatabase.administrator)
        _ = try await site.test.actor(.administrator, name: "Unrestricted")
        let visit = try await site.browser(.publisher, name: "Restricted")
        let all = try await visit.get("/schedule?week=2099-06-01")
        let account = try #require(try await site.test.database.accounts.list().first { $0.name == "Restricted" })
        try await site.test.services.manageAccount.setScope(
            account, AccessScope(types: ["article"], groups: []), by: TestDatabase.administrator)
        let restricted = try await visit.get("/schedule?week=2099-06-01")
        for action in ["schedule", "cancel"] {
            #expect(all.holds("\"/releases/\(mixed)/\(action)\"") && all.holds("\"/releases/\(whole)/\(action)\""))
            #expect(restricted.holds("\"/releases/\(whole)/\(action)\""), "it contains articles only")
            #expect(!restricted.holds("\"/releases/\(mixed)/\(action)\""))
        }
        #expect(restricted.says("Mixed"))
        let page = try await visit.get("/releases/\(mixed)")
        #expect(page.says("Only someone without an access scope can change this release.") && !page.hasButton("Remove"))
        #expect(!page.says("Find entries to add") && !page.hasButton("Move entries"))
        #expect(try await visit.post("/releases/\(mixed)/items/\(own.entry)/delete", []).status >= 400)
    }

    @Test("Finished releases show their delay, failed ones their reason")
    func finished() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .curator)
        let publish = site.test.services.publishRelease
        let coming = try WallTime(local: "2999-01-01T00:00", zone: "UTC")
        _ = try await site.article("Good", .at(coming))
        // An item without a live category is refused when its time has come.
        let draft = try await site.create(
            "category", ["title": "Draft", "group": "00000000-0000-7000-8000-000000000011"], .draft)
        _ = try await site.create(
            "article",
            ["title": "Bad", "body": "<p>x</p>", "categories": .array([.string(draft.description)])], .at(coming))
        for release in try await site.test.database.releases.scheduled() { try await site.makeDue(release.number) }
        let due = try await publish.due()
        #expect(due.count == 2)
        let page = try await visit.get("/schedule")
        #expect(page.holds("<span class=\"tag ok\">Published</span>") && page.holds("publication 2"))
        #expect(page.holds("<span class=\"tag bad\">Failed</span>"))
        #expect(page.holds(" y</td>"), "years late")
        #expect(!page.holds("/cancel\""))
        let reason = try await site.test.database.releases.finished().first { $0.state == .failed }?.cause ?? "-"
        #expect(page.holds(reason.replacing("\"", with: "&quot;")) || page.holds(reason))
    }

    @Test("R19: a failed task is shown with its reason, and retried")
    func retry() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .publisher)
        let tasks = site.test.database.tasks
        try await tasks.add(kind: "sweep_tasks", payload: .object([:]), maxAttempts: 1)
        guard let task = try await tasks.claim() else {
            Issue.record("there is no task")
            return
        }
        _ = try await tasks.fail(task.id, error: "the <moon> was full")
        let page = try await visit.get("/tasks")
        #expect(page.holds("sweep_tasks") && page.holds("the &lt;moon&gt; was full"))
        let path = "/tasks/\(task.id.uuidString.lowercased())/retry"
        let again = try await visit.fill(page, path, [])
        #expect(try await visit.follow(again).holds("Task sweep_tasks queued again."))
        #expect(try await visit.post(path, []).status == 409)
        #expect(try await visit.post("/tasks/1/retry", []).status == 404)
    }

    @Test("Plans know the tables and columns of a pack from the pack alone")
    func packLabels() async throws {
        let site = try await AdminFixture.make()
        let item: JSONValue = .object([
            "read_table": "list_item", "key": "1", "operation": "insert",
            "after": .object(["title": "Film", "sort_title": "film"]),
        ])
        let rows = try PublicationPlan(reading: .object(["rows": .array([item])])).rows
        let row = try #require(rows.first)
        let types = site.test.rules.types
        let labels = PlanLabels(rows, types, PackSet([.lists]))
        #expect(labels.subject(of: row) == "List item" && labels.title(of: row) == "Film")
        #expect(labels.label("sort_title", of: nil) == nil && labels.label("title", of: nil) == "Title")
        let without = PlanLabels(rows, types, .none)
        #expect(without.subject(of: row) == nil && without.label("sort_title", of: nil) == "Sort title")
    }

    @Test("A plan lists entries before their positions in feeds and the search, each with all of its rows")
    func order() async throws {
        let site = try await AdminFixture.make()
        let feed = try await site.feed()
        for title in ["One", "Two", "Three"] {
            _ = try await site.publish("article", title, ["feeds": .entries([feed])], publishTiming: .approveOnly)
        }
        let rows = try await site.test.services.publishRelease.plan().plan.rows
        let content = rows.filter { $0.table == "item" || $0.table == "item_full" }
        #expect(content.count == 6)
        for index in stride(from: 0, to: content.count - 1, by: 2) {
            #expect(content[index].key == content[index + 1].key)
        }
        let last = try #require(rows.lastIndex { $0.table == "item_full" })
        for table in ["feed_item", "search"] {
            let first = try #require(rows.firstIndex { $0.table == table })
            #expect(last < first, "\(table)")
        }
        // The first rows have their contents, however few are asked for.
        let few = try await site.test.services.publishRelease.plan(limit: content.count).plan.rows
        #expect(few.map(\.key) == rows.prefix(content.count).map(\.key))
        #expect(few.allSatisfy { $0.operation == "delete" || $0.after != nil })
    }

    @Test("A publication matches its plan, row by row")
    func plan() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .publisher)
        let shown = try await site.article("Shown")
        try await site.change(shown, "title", to: "Shown anew", .approveOnly)
        _ = try await site.article("Fresh", .approveOnly)
        _ = try await site.article("Draft", .draft)
        let planned = try await site.test.services.publishRelease.plan().plan.rows
        let before = try await site.test.database.publications.current()
        let page = try await visit.get("/publications/plan")
        #expect(page.status == 200)
        let inserted = planned.count { $0.operation == "insert" }
        let updated = planned.count { $0.operation == "update" }
        #expect(inserted > 0 && updated > 0)
        #expect(page.holds("Rows: \(planned.count) (\(inserted) new, \(updated) changed, 0 deleted)."))
        #expect(page.holds("<dt>Title</dt><dd dir=\"auto\"><del>Shown</del> <ins>Shown anew</ins></dd>"))
        // Plain names for readers; tables, keys and columns are behind a summary.
        let start = try #require(page.html.firstRange(of: "aria-label=\"Changes for readers, before and after\""))
            .upperBound
        let end = try #require(page.html[start...].firstRange(of: "<summary>Show database rows</summary>")).lowerBound
        let (plain, database) = (page.html[start..<end], page.html[end...])
        for title in ["Fresh", "Shown anew"] {
            let line = "<span dir=\"auto\">\(title)</span> <span class=\"muted\">Article</span>"
            #expect(plain.ranges(of: line).count == 1, "one line for each article, whatever tables have parts of it")
        }
        for name in ["item_full", "search", "updated_at", "category_ids", "document", "\(shown)"] {
            #expect(!plain.contains(name), "\(name)")
        }
        #expect(database.contains("<td translate=\"no\">item_full</td>") && database.contains("\(shown)"))
        #expect(page.holds("version 2, replaces version 1") && page.holds("version 1, not yet published"))
        #expect(!page.holds("Draft</a>"))
        // Looking changes nothing.
        #expect(try await site.test.database.publications.current() == before)

        let published = try await visit.fill(page, "/publications", [])
        let log = try await visit.follow(published)
        #expect(log.holds("Published 2 entries in publication \(before + 1).") && log.holds("Pending changes"))
        let rows: [String] = try await site.test.client.query(
            "select read_table || operation || key as line from api_v1.change where publication = \(before + 1)"
        ).map { try $0("line") }
        #expect(Set(rows) == Set(planned.map { $0.table + $0.operation + $0.key }))
        #expect(log.says("1 published, 1 changed"))
        #expect(try await site.rows("item", "title") == ["Fresh", "Shown anew"])
        let empty = try await visit.get("/publications/plan")
        #expect(empty.holds("No pending changes.") && !empty.holds("action=\"/publications\""))
    }

    @Test("A plan shows the words of rich text, not its elements")
    func richText() async throws {
        let site = try await AdminFixture.make()
        let words = try await site.article("Words")
        let format = try await site.article("Format")
        try await site.edit(words, ["body": "<p>Slowly and surely.</p>"], publishTiming: .approveOnly)
        try await site.edit(format, ["body": "<p><strong>Slowly.</strong></p>"], publishTiming: .approveOnly)
        let page = try await site.browser(.publisher).visit("/publications/plan")
        #expect(page.says("surely.") && page.holds("<ins>") && !page.holds("&lt;p&gt;"))
        #expect(page.says("Only formatting, links or images change."))
    }

    @Test("R21: when the pending changes differ from the plan, nothing is published and the new plan is shown")
    func moved() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .publisher)
        _ = try await site.article("One", .approveOnly)
        let page = try await visit.get("/publications/plan")
        _ = try await site.article("Two", .approveOnly)
        let before = try await site.test.database.publications.current()
        let late = try await visit.fill(page, "/publications", [])
        #expect(late.status == 409 && late.holds("The plan has changed since you saw it.") && late.holds(">Two</a>"))
        #expect(try await visit.post("/publications", []).status == 409)
        #expect(try await site.test.database.publications.current() == before)
        #expect(try await visit.fill(late, "/publications", []).status == 303)
        #expect(try await site.test.database.publications.current() == before + 1)
    }

    @Test("A plan of more than 200 rows counts the rest")
    func longPlan() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .curator)
        for number in 1...101 {
            _ = try await site.create(
                "category", ["title": .string("C\(number)"), "group": "00000000-0000-7000-8000-000000000012"])
            _ = try await site.article("Article \(number)", .approveOnly)
        }
        let page = try await visit.get("/publications/plan")
        let total = try await site.test.services.publishRelease.plan().plan.rows.count
        #expect(total > 200)
        #expect(page.holds("Showing the first 200; \(total - 200) more are hidden."))
        // The heads of two tables, 101 objects (their category, and articles with two rows each), and 200 rows.
        #expect(page.html.split(separator: "<tr").count - 1 == 2 + 101 + 200)
        #expect(page.holds("1 more pending."))
        #expect(page.holds("Publishing requires the publisher role.") && !page.holds("action=\"/publications\""))
    }

    @Test("The log is paged without gaps or duplicates")
    func log() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .curator)
        for number in 1...51 {
            _ = try await site.create(
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
