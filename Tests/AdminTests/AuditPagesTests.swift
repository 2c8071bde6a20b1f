// Tests the audit pages: search by actor, action, object and date; paging; one event; export; integrity.
import Domain
import Operations
import Store
import TestBasics
import TestSupport
import Testing

@testable import Admin

@Suite("Audit pages", .databases)
struct AuditPagesTests {
    private func rows(_ page: BrowserPage) -> Int { page.html.ranges(of: " data-row>").count }

    @Test("Events are found by actor, action, object and date; an invalid date is reported at its field")
    func searching() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .administrator, name: "Root")
        let ann = try await site.account("ann@example.org")
        _ = try await visit.post("/accounts/\(ann)/role", [("role", "editor")])
        let root = try #require(try await site.test.database.accounts.list().first { $0.name == "Root" })
        let byWho = try await visit.get("/audit?actor=\(root.id)")
        #expect(byWho.says("role.update") && !byWho.says("account.create"))
        let byNoun = try await visit.get("/audit?action=account")
        #expect(byNoun.says("account.create") && !byNoun.says("role.update") && !byNoun.says("session.create"))
        #expect(rows(try await visit.get("/audit?action=role.update")) == 1)
        #expect(rows(try await visit.get("/audit?object=\(ann)")) == 2)
        #expect(rows(try await visit.get("/audit?object=none")) == 0)
        #expect(try await visit.get("/audit?until=2020-01-01").says("No matching events"))
        // In sentences, with words for the actors of the program.
        #expect(byWho.says("Root changed the role of “Ann Example”"))
        #expect(byNoun.says("Command line created the account “Ann Example”"))
        for url in ["/audit?from=yesterday", "/audit?until=2026-02-30", "/audit?actor=ann"] {
            let wrong = try await visit.get(url)
            #expect(wrong.status == 422 && wrong.title.hasPrefix("Error: "))
            #expect(wrong.holds("<details class=\"fold\" open><summary>Filters: 1</summary>"), "the field is in view")
        }
        #expect(byWho.holds("<details class=\"fold\"><summary>Filters: 1</summary>"))
    }

    @Test("The first and the last day count whole: at midnight yes, a microsecond before or a day later no")
    func days() async throws {
        let site = try await AdminFixture.make()
        for instant in [
            "2026-03-01T00:00:00Z", "2026-03-01T23:59:59.999999Z", "2026-02-28T23:59:59.999999Z",
            "2026-03-02T00:00:00Z",
        ] {
            try await site.test.client.execute(
                """
                insert into ops.audit_event (actor_id, action, object_type, happened_at)
                values ('00000000-0000-7000-8000-000000000001', 'test.day', 'day', \(instant)::timestamptz)
                """)
        }
        var filter = AuditFilter()
        filter.action = "test.day"
        filter.firstDay = Timestamp("2026-03-01T00:00:00Z")
        filter.lastDay = filter.firstDay
        let trail = site.test.database.auditTrail
        #expect(try await trail.search(filter, limit: 9).count == 2)
        filter.firstDay = Timestamp("2026-02-28T00:00:00Z")
        filter.lastDay = filter.firstDay
        #expect(try await trail.search(filter, limit: 9).count == 1)
        filter.zone = "Asia/Kathmandu"
        #expect(try await trail.search(filter, limit: 9).isEmpty, "there, it is already the next day")
    }

    @Test("R33: the pages contain each event once, also when events are added meanwhile")
    func paging() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .administrator)
        func add() async throws {
            try await site.test.client.execute(
                """
                insert into ops.audit_event (actor_id, action, object_type, object_id)
                select '00000000-0000-7000-8000-000000000001', 'test.page', 'number', n::text from generate_series(1, 70) n
                """)
        }
        try await add()
        let first = try await visit.get("/audit?action=test.page")
        try await add()
        let second = try await visit.get(try first.link("More"))
        #expect(rows(first) == 50 && rows(second) == 20)
        let seen = (first.links + second.links).map(\.url).filter { $0.hasPrefix("/audit/events/") }
        #expect(Set(seen).count == 70)
    }

    @Test("One event shows before and after: of a role, an access scope, an entry's versions")
    func event() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .administrator)
        let ann = try await site.account("ann@example.org")
        _ = try await visit.post("/accounts/\(ann)/role", [("role", "editor")])
        _ = try await visit.post("/accounts/\(ann)/scope", [("types", "article")])
        func open(_ action: String) async throws -> BrowserPage {
            let list = try await visit.get("/audit?action=\(action)")
            let link = try #require(list.links.first { $0.url.hasPrefix("/audit/events/") })
            return try await visit.get(link.url)
        }
        let role = try await open("role.update")
        #expect(role.holds("<del>curator</del>") && role.holds("<ins>editor</ins>"))
        #expect(try await open("access_scope.update").holds("<ins>article</ins>"))
        let feed = try await site.feed("Old name")
        let write = site.test.write
        let newest = try #require(try await site.test.database.revisions.newest(of: feed))
        var fields = newest.content.fields
        fields["title"] = "New name"
        _ = try await write.edit(feed, fields: fields, base: newest.number, by: TestDatabase.administrator)
        let edit = try await open("entry.update")
        #expect(edit.says("Versions 1 and 2") && edit.holds("<del>Old</del>"))
        #expect(edit.links.contains { $0.url == "/entries/\(feed)" })
        #expect(try await visit.get("/audit/events/99999999").status == 404)
        #expect(try await visit.get("/audit/events/x").status == 404)
    }

    @Test("An object is shown value by value, and folded where it has no simple values")
    func objects() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .administrator)
        try await site.test.client.execute(
            """
            insert into ops.audit_event (actor_id, action, object_type, detail)
            values ('00000000-0000-7000-8000-000000000001', 'test.object', 'test',
                '{"limits": {"per_minute": 5}, "lists": [{"name": "one"}],
                  "before": {"rules": {"links": 3, "same": 1}}, "after": {"rules": {"links": 4, "same": 1}}}')
            """)
        let list = try await visit.get("/audit?action=test.object")
        #expect(list.says("Limits per minute: 5 · Before and after") && !list.says("\"name\""))
        let page = try await visit.get(try #require(list.links.first { $0.url.hasPrefix("/audit/events/") }).url)
        #expect(page.holds("<dt translate=\"no\">Limits per minute</dt><dd dir=\"auto\">5</dd>"))
        #expect(page.holds("<dt translate=\"no\">Rules links</dt>") && page.holds("<del>3</del> <ins>4</ins>"))
        #expect(!page.says("Rules same"), "it has not changed")
        #expect(
            page.holds("<summary>Show values<span class=\"visually-hidden\" translate=\"no\">: Lists</span></summary>"))
    }

    @Test("S8: exports contain the matching events; a name that is a formula is escaped in CSV")
    func files() async throws {
        let site = try await AdminFixture.make()
        let visit = try await site.browser(.administrator, name: "=HYPERLINK(\"https://evil.example\")")
        let ann = try await site.account("ann@example.org")
        _ = try await visit.post("/accounts/\(ann)/role", [("role", "editor")])
        let table = try await visit.get("/audit/export?format=csv&action=role.update")
        #expect(table.headers["Content-Type"]?.hasPrefix("text/csv") == true)
        #expect(table.headers["Content-Disposition"] == "attachment; filename=\"audit.csv\"")
        let lines = table.html.split(separator: "\r\n")
        #expect(lines.count == 2 && lines[1].contains(",\"'=HYPERLINK(\"\"https://evil.example\"\")\","))
        let json = try await visit.get("/audit/export?format=jsonl&action=role.update")
        let event = try JSONValue(parsing: Array(json.html.split(separator: "\n")[0].utf8))
        #expect(event["action"] == "role.update" && event["detail"]?["to"] == "editor")
    }

    @Test("S47: a long export has each event once, newest first, and takes turns among workers")
    func longExport() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .administrator)
        try await site.test.client.execute(
            """
            insert into ops.audit_event (actor_id, action, object_type, object_id)
            select '00000000-0000-7000-8000-000000000001', 'test.export', 'number', n::text
            from generate_series(1, 1000) n
            """)
        func export() async throws -> [String] {
            let file = try await visit.get("/audit/export?format=jsonl&action=test.export")
            #expect(file.status == 200)
            return try file.html.split(separator: "\n").map {
                try JSONValue(parsing: Array($0.utf8))["object_id"]?.stringValue ?? ""
            }
        }
        let all = (1...1000).reversed().map(String.init)
        // Two whole chunks.
        #expect(try await export() == all)
        try await site.test.client.execute(
            """
            insert into ops.audit_event (actor_id, action, object_type, object_id)
            values ('00000000-0000-7000-8000-000000000001', 'test.export', 'number', '1001')
            """)
        let held = await HeldTurn(in: AuditPages.exportPool)
        let opener = Task {
            await until("the export waits") { AuditPages.exportPool.waitingCount > 0 }
            try await held.end()
        }
        #expect(try await export() == ["1001"] + all)
        try await opener.value
    }

    @Test("S47: an export waits while two others are read")
    func exportTurns() async throws {
        let visit = try await AdminFixture.make().browser(.administrator)
        let lane = AuditPages.exportLane
        let (first, second) = (await HeldTurn(in: lane), await HeldTurn(in: lane))
        let opener = Task {
            await until("the export waits") { lane.waitingCount > 0 }
            for held in [first, second] { try await held.end() }
        }
        #expect(try await visit.get("/audit/export").status == 200)
        try await opener.value
        #expect(try await AuditPages.exportLane.run { 7 } == 7)
    }

    @Test("S45: the page verifies the integrity, and names the changed event")
    func integrity() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .administrator)
        _ = try await site.test.database.auditTrail.seal()
        let page = try await visit.get("/audit/integrity")
        #expect(page.says("sealed events are unchanged") && !page.says(" 0 will") && !page.says(" 0 events will"))
        // Older events are on a page of their own.
        let last: Int = try await site.test.client.one("select max(position) as n from ops.audit_block")("n")
        let older = try await visit.get("/audit/integrity?until=\(last)")
        #expect(older.says("1 to \(last)") && older.says("Newest") && !older.says("within a minute"))
        let none = try await visit.get("/audit/integrity?until=0")
        #expect(none.status == 200 && none.says("0 sealed events are unchanged"))
        let changed: Int = try await site.test.client.one(
            "update ops.audit_event set action = 'nothing.done' where id = (select event_ids[1] from ops.audit_block limit 1) returning id"
        )("id")
        #expect(try await visit.get("/audit/integrity").says("event \(changed) was changed"))
    }
}
