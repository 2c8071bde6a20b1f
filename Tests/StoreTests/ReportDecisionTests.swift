// Tests decisions about reports: outcomes, permissions, access scopes, races, lists and statistics.
import Domain
import FoundationEssentials
import Operations
import Platform
import Postgres
import Store
import TestSupport
import Testing

@Suite("Decisions about reports", .databases)
struct ReportDecisionTests {
    @Test("Of two decisions at once one stands; the other learns who decided")
    func decisionsAtOnce() async throws {
        let site = try await ReportWorld.make()
        for _ in 0..<5 {
            let entry = try await site.article("A walk")
            try await site.report(entry)
            let found = try await site.open(entry)
            let decisions: [(Actor, ReportOutcome)] = [
                (site.curator, .noAction), (site.publisher, .unpublish), (site.publisher, .noAction),
            ]
            let codes = try await concurrently(decisions) { actor, outcome in
                try await ReportWorld.code { try await site.decide(found.id, outcome, by: actor) }
            }
            #expect(codes.count { $0 == nil } == 1 && codes.count { $0 == "already_decided" } == 2, "\(codes)")
            let decided = try #require(try await site.test.database.reportCases.find(found.id))
            let isLive = try await site.test.database.reports.isLive(entry)
            #expect(isLive == (decided.outcome == .noAction), "what lost the race published nothing")
        }
        let entry = try await site.article("Another")
        try await site.report(entry)
        let found = try await site.open(entry)
        try await site.decide(found.id, .noAction, by: site.curator)
        do {
            try await site.decide(found.id, .noAction)
            Issue.record("a second decision")
        } catch Failure.conflict(_, let message) {
            #expect(message.contains("Nora") && message.contains("No action"))
        }
        await #expect(throws: PostgresError.self) {
            try await site.owner.execute("update curation.report_case set note = 'x' where id = \(found.id)")
        }
    }

    @Test("After a decision the same reporter raises nothing; a new one opens another case that says so")
    func reopening() async throws {
        let site = try await ReportWorld.make()
        let entry = try await site.article()
        let first = try await site.report(entry, by: "Ada")
        try await site.decide(try await site.open(entry).id, .noAction)
        #expect(try await site.report(entry, by: "Ada").id == first.id)
        #expect(try await site.cases().isEmpty)
        try await site.report(entry, by: "Bea")
        let again = try await site.open(entry)
        #expect(again.reports == 1 && again.outcomeBefore == .noAction)
        #expect(try await site.test.database.reportCases.others(of: again).map(\.outcome) == [.noAction])
    }

    @Test("An edit is confirmed once a newer version is published; a note is required and has at most 2,000 characters")
    func edits() async throws {
        let site = try await ReportWorld.make()
        let entry = try await site.article()
        try await site.report(entry)
        let id = try await site.open(entry).id
        for note in ["", " \n", String(repeating: "x", count: 2001)] {
            let errors = try await ReportWorld.invalid { try await site.decide(id, .noAction, note: note) }
            #expect(errors.first?.hasPrefix("/note ") == true, "\(note.count)")
        }
        #expect(try await ReportWorld.code { try await site.decide(id, .edit) } == "not_edited")
        try await site.edit(entry, ["title": "A short walk"], publishTiming: .approveOnly)
        #expect(try await ReportWorld.code { try await site.decide(id, .edit) } == "not_edited")
        try await site.edit(entry, ["title": "A shorter walk"])
        try await site.decide(id, .edit, note: String(repeating: "x", count: 2000), by: site.curator)
        let decided = try #require(try await site.cases(decided: true).first)
        #expect(decided.outcome == .edit && decided.reportedVersion == 1 && decided.liveVersion == 3)
    }

    @Test("To unpublish takes the permission to publish; what somebody has unpublished anyone may confirm")
    func unpublishing() async throws {
        let site = try await ReportWorld.make()
        let (one, two) = (try await site.article("One"), try await site.article("Two"))
        for entry in [one, two] { try await site.report(entry) }
        let (first, second) = (try await site.open(one).id, try await site.open(two).id)
        #expect(
            try await ReportWorld.code { try await site.decide(first, .unpublish, by: site.curator) } == "forbidden")
        let stale = ReportDecisionDraft(.unpublish, note: "Spam", plan: "another")
        #expect(
            try await ReportWorld.code { try await site.test.services.decideReport(first, stale, by: site.publisher) }
                == "plan_changed")
        #expect(try await site.open(one).isOpen, "nothing was decided")
        try await site.decide(first, .unpublish)
        #expect(try await !site.test.database.reports.isLive(one))
        try await site.unpublish(two)
        try await site.decide(second, .unpublish, by: site.curator)
        let actions: [String] = try await site.owner.query(
            "select action from ops.audit_event where object_id in (\(first.description), \(one.description)) order by id"
        ).map { try $0("action") }
        #expect(actions.suffix(2) == ["report.decide", "entry.unpublish"])
        #expect(try await site.isVerified())
    }

    @Test("To block takes a contributor; the status gets the note and the end")
    func blocking() async throws {
        let site = try await ReportWorld.make()
        let own = try await site.article()
        let sent = try await site.submitted()
        for entry in [own, sent.entry] { try await site.report(entry) }
        #expect(
            try await ReportWorld.code { try await site.decide(try await site.open(own).id, .block) }
                == "no_contributor")
        let id = try await site.open(sent.entry).id
        #expect(
            try await ReportWorld.invalid { try await site.decide(id, .block, until: .hours(0)) } == ["/until range"])
        try await site.decide(id, .block, note: "Advertises", until: .hours(24), by: site.curator)
        let contributor = try #require(try await site.test.database.reputations.find(of: sent.submission))
        #expect(contributor.status == .blocked && contributor.reason == "Advertises" && contributor.until != nil)
        #expect(try await site.test.database.reports.isLive(sent.entry))
        // What a case with an access scope may not do, it does not do by half.
        #expect(try await site.cases(decided: true).map(\.outcome) == [.block])
    }

    @Test("Access scopes: a restricted account sees and decides only reports of content in its scope")
    func accessScopes() async throws {
        let site = try await ReportWorld.make()
        let article = try await site.article()
        let film = try await site.publish("video", "A film")
        for entry in [article, film] { try await site.report(entry) }
        let (inside, outside) = (try await site.open(article).id, try await site.open(film).id)
        let restricted = try await site.test.actor(.curator, name: "Rita")
        try await site.test.writeUnchecked("update ops.account set types = '{article}' where id = \(restricted.rowID)")
        let scope = AccessScope(types: ["article"], groups: [])
        let (seen, open, count) = try await AccessScope.$current.withValue(scope) {
            (
                try await site.cases().map(\.id), try await site.test.database.reportStatistics.load().open,
                try await site.test.database.reportCases.openCount(limit: 10)
            )
        }
        #expect(seen == [inside] && open == 1 && count == 1)
        #expect(try await site.test.database.access.contains(.reportCase(inside), scope))
        #expect(try await !site.test.database.access.contains(.reportCase(outside), scope))
        #expect(try await ReportWorld.code { try await site.decide(outside, .noAction, by: restricted) } == "forbidden")
        try await site.decide(inside, .noAction, by: restricted)
        #expect(try await site.cases().map(\.id) == [outside])
    }

    // MARK: Lists and statistics

    @Test("Lists: most reports or oldest first, by reason and type, page by page; statistics are exact")
    func lists() async throws {
        let site = try await ReportWorld.make()
        var entries: [ID<Entry>] = []
        for number in 0..<5 {
            entries.append(
                number == 4
                    ? try await site.publish("video", "Film") : try await site.article("Article \(number)"))
            for _ in 0...(number % 3) { try await site.report(entries[number], number == 1 ? .illegal : .spam) }
        }
        var filter = ReportCaseFilter()
        for (order, expected) in [(ReportCaseFilter.Order.most, [2, 1, 4, 0, 3]), (.oldest, [0, 1, 2, 3, 4])] {
            filter.order = order
            var (found, cursor, pages): ([ID<Entry>], String?, Int) = ([], nil, 0)
            repeat {
                let page = try await site.test.database.reportCases.page(filter, cursor: cursor, limit: 2)
                found += page.items.map(\.entry)
                (cursor, pages) = (page.next, pages + 1)
            } while cursor != nil
            #expect(found == expected.map { entries[$0] } && pages == 3, "\(order)")
        }
        #expect(try await site.cases { $0.reason = .illegal }.map(\.entry) == [entries[1]])
        #expect(try await site.cases { $0.type = "video" }.map(\.entry) == [entries[4]])
        let before = try await site.test.database.reportStatistics.load()
        #expect(before.open == 5 && before.openReports == [.spam: 7, .illegal: 2] && before.medianSeconds == nil)
        for (index, hours) in [(0, 1), (1, 2), (2, 9)] {
            let id = try await site.open(entries[index]).id
            try await site.decide(id, index == 2 ? .unpublish : .noAction)
            try await site.test.writeUnchecked(
                "update curation.report_case set opened_at = decided_at - make_interval(hours => \(hours)) where id = \(id)"
            )
        }
        let after = try await site.test.database.reportStatistics.load()
        #expect(after.open == 2 && after.openReports == [.spam: 3] && after.decided == [.noAction: 2, .unpublish: 1])
        #expect(after.medianSeconds == 7200)
        let decided = try await site.test.database.reportCases.page(
            { filter in
                var filter = filter
                filter.isDecided = true
                return filter
            }(filter), cursor: nil, limit: 2)
        #expect(decided.items.map(\.entry) == [entries[2], entries[1]])
    }
}
