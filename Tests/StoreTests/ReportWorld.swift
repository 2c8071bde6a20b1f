// Published entries, an app that reports them, and people who decide.
import Domain
import FoundationEssentials
import Operations
import Platform
import Postgres
import Store
import TestSupport
import Testing

struct ReportWorld: World {
    let test: TestDatabase
    let app: Actor
    let curator: Actor
    let publisher: Actor
    let owner: PostgresClient

    static func make() async throws -> ReportWorld {
        let test = try await TestDatabase.make()
        return ReportWorld(
            test: test, app: try await test.clientActor([.report]),
            curator: try await test.actor(.curator, name: "Nora"),
            publisher: try await test.actor(.publisher, name: "Pia"), owner: test.superuser())
    }

    @discardableResult
    func report(
        _ entry: ID<Entry>, _ reason: ReportReason = .spam, text: String? = nil, by reporter: String? = nil,
        email: String? = nil, locale: String? = nil, key: String? = nil
    ) async throws -> StoredReport {
        try await test.services.receiveReport(
            ReportDraft(
                .id(entry), reason, text: text, reporter: reporter, reporterEmail: email, reporterLocale: locale,
                idempotencyKey: key), by: app)
    }

    func decide(
        _ id: ID<ReportCase>, _ outcome: ReportOutcome, note: String = "Checked", until: SnoozeTime? = nil,
        by actor: Actor? = nil
    ) async throws {
        try await test.services.decideReport(
            id, ReportDecisionDraft(outcome, note: note, until: until), by: actor ?? publisher)
    }

    func cases(decided: Bool = false, _ change: (inout ReportCaseFilter) -> Void = { _ in }) async throws
        -> [ReportCaseRow]
    {
        var filter = ReportCaseFilter()
        filter.isDecided = decided
        change(&filter)
        return try await test.database.reportCases.page(filter, cursor: nil, limit: 100).items
    }

    func open(_ entry: ID<Entry>) async throws -> ReportCaseRow {
        try #require(try await cases().first { $0.entry == entry })
    }

    func count(_ table: String) async throws -> Int {
        try await owner.one("select count(*) as n from curation.\(raw: table)")("n")
    }

    /// An article that a contributor sent and that is published.
    func submitted() async throws -> (entry: ID<Entry>, submission: ID<Submission>) {
        let feed = try await publish("feed", "City guides", ["publish_on_approval": .bool(true)])
        let id = try await submit(by: try await test.clientActor())
        _ = try await test.services.decideSubmission(
            id, Decision.Draft(verdict: .approve, feeds: [feed], publishTiming: .now), version: 0, by: publisher)
        return (try #require(try await test.database.submissions.find(id)?.entry), id)
    }

    // MARK: Refusals

    static func invalid(_ action: () async throws -> Void) async throws -> [String] {
        do {
            try await action()
            return []
        } catch Failure.invalid(let errors) {
            return errors.items.map { "\($0.pointer) \($0.code)" }
        }
    }

    static func code(_ action: () async throws -> Void) async throws -> String? {
        do {
            try await action()
            return nil
        } catch Failure.refused(let code, _) {
            return code
        } catch Failure.conflict(let code, _) {
            return code
        } catch Failure.forbidden {
            return "forbidden"
        }
    }
}
