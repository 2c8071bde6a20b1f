// Tests how reports are received: what can be reported, who counts, and races.
import Domain
import FoundationEssentials
import Operations
import Platform
import Postgres
import Store
import TestBasics
import TestSupport
import Testing

@Suite("Reports", .databases)
struct ReportTests {
    @Test("A text has at most 2,000 characters, a reporter 200; another reason needs a text; all errors come at once")
    func boundaries() async throws {
        let site = try await ReportWorld.make()
        let entry = try await site.article()
        try await site.report(entry, text: String(repeating: "x", count: 2000), by: String(repeating: "r", count: 200))
        #expect(
            try await ReportWorld.invalid { try await site.report(entry, text: String(repeating: "x", count: 2001)) }
                == ["/text too_long"])
        #expect(
            try await ReportWorld.invalid { try await site.report(entry, by: String(repeating: "r", count: 201)) } == [
                "/reporter too_long"
            ])
        for text in [nil, "", " \n"] {
            #expect(
                try await ReportWorld.invalid { try await site.report(entry, .other, text: text) } == ["/text required"]
            )
        }
        try await site.report(entry, .other, text: "x")
        let all = try await ReportWorld.invalid {
            try await site.report(
                entry, .other, by: String(repeating: "r", count: 201), email: "nobody", locale: "deutsch!")
        }
        #expect(
            Set(all) == [
                "/reporter too_long", "/reporter_email format", "/reporter_locale format", "/text required",
            ])
        #expect(
            try await ReportWorld.invalid { try await site.report(entry, text: "a\u{0}b") } == [
                "/text control_characters"
            ])
        #expect(try await site.count("report") == 2)
    }

    @Test("Only what is published can be reported, by id or slug, also by an old slug")
    func subjects() async throws {
        let site = try await ReportWorld.make()
        let entry = try await site.publish("article", "A walk", ["slug": "a-walk"])
        let draft = try await site.article("Draft", .draft)
        let unknown = ID<Entry>(UUIDv7.make())
        #expect(try await ReportWorld.invalid { try await site.report(unknown) } == ["/entry reference"])
        #expect(try await ReportWorld.invalid { try await site.report(draft) } == ["/entry reference"])
        #expect(
            try await ReportWorld.invalid { try await site.report(SeedEntry.topicGroup) } == [],
            "a category group is published")
        func slug(_ slug: String, kind: String = "item") async throws -> ID<Entry> {
            try await site.test.services.receiveReport(ReportDraft(.slug(slug, kind: kind), .spam), by: site.app).entry
        }
        #expect(try await slug("a-walk") == entry)
        #expect(try await ReportWorld.invalid { _ = try await slug("a-walk", kind: "feed") } == ["/slug reference"])
        #expect(try await ReportWorld.invalid { _ = try await slug("a-walk", kind: "text") } == ["/kind choice"])
        try await site.edit(entry, ["slug": "another-walk"])
        #expect(try await slug("a-walk") == entry)
        try await site.unpublish(entry)
        #expect(try await ReportWorld.invalid { try await site.report(entry) } == ["/entry unpublished"])
        #expect(try await ReportWorld.invalid { _ = try await slug("another-walk") } == ["/slug unpublished"])
    }

    @Test("A reporter counts once for each entry, anonymous reports each; a repeated request is stored once")
    func counts() async throws {
        let site = try await ReportWorld.make()
        let (one, two) = (try await site.article("One"), try await site.article("Two"))
        let first = try await site.report(one, by: "Ada")
        let again = try await site.report(one, .illegal, text: "Really", by: "Ada")
        #expect(first.isNew && !again.isNew && again.id == first.id)
        try await site.report(one, .illegal, by: "Bea")
        try await site.report(one)
        try await site.report(one)
        let keyed = try await site.report(one, key: "k1")
        #expect(try await site.report(one, key: "k1").id == keyed.id)
        let reused = try await ReportWorld.code { try await site.report(one, .copyright, key: "k1") }
        #expect(reused == "key_reused")
        #expect(try await ReportWorld.code { try await site.report(two, key: "k1") } == "key_reused")
        try await site.report(two, by: "Ada")
        let found = try await site.open(one)
        #expect(found.reports == 5 && found.reasons == [.spam: 4, .illegal: 1])
        #expect(try await site.open(two).reports == 1)
        #expect(try await site.count("report_case") == 2)
        let events: Int = try await site.owner.one(
            "select count(*) as n from ops.audit_event where action = 'report.create'")("n")
        #expect(events == 6, "one for each stored report")
        // Another app vouches for its own readers.
        let other = try await site.test.clientActor([.report])
        let theirs = try await site.test.services.receiveReport(
            ReportDraft(.id(one), .spam, reporter: "Ada"), by: other)
        #expect(theirs.isNew)
    }

    @Test("The database refuses reports of clients without the scope")
    func scopeOfClients() async throws {
        let site = try await ReportWorld.make()
        let entry = try await site.article()
        let portal = try await site.test.clientActor([.submit, .review, .readFull])
        await #expect(throws: (any Error).self) {
            try await site.test.services.receiveReport(ReportDraft(.id(entry), .spam), by: portal)
        }
        #expect(try await site.count("report") == 0)
        #expect(try await site.count("report_case") == 0)
    }

    @Test("Reports at once: one case for an entry, each reporter once, and none is lost")
    func race() async throws {
        let site = try await ReportWorld.make()
        let entry = try await site.article()
        let stored = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<40 {
                group.addTask { try await site.report(entry, by: "Reader \(number % 10)").isNew }
            }
            for _ in 0..<20 { group.addTask { try await site.report(entry).isNew } }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(stored == 30)
        #expect(try await site.count("report_case") == 1)
        #expect(try await site.count("report") == 30)
        #expect(try await site.open(entry).reports == 30)
    }

    @Test("Reports while cases are decided: each belongs to a case that was open when it was stored")
    func raceWithDecisions() async throws {
        let site = try await ReportWorld.make()
        let entry = try await site.article()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<60 {
                group.addTask { try await site.report(entry, by: "Reader \(number)", email: "r\(number)@example.org") }
            }
            group.addTask {
                for _ in 0..<8 {
                    let before = try await site.count("report")
                    if let found = try await site.cases().first { try await site.decide(found.id, .noAction) }
                    try await until("another report is stored") {
                        let stored = try await site.count("report")
                        return stored > before || stored == 60
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await site.count("report") == 60)
        // What the decision has not seen has no notification.
        let lost: Int = try await site.owner.one(
            """
            select count(*) as n from curation.report r join curation.report_case c on c.id = r.case_id
            where c.decided_at is not null and not exists (select from ops.outcome o where o.report_id = r.id)
            """)("n")
        #expect(lost == 0)
    }
}
