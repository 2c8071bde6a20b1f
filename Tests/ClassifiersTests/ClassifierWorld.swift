// A database, a classifier on this machine, and what a daemon does between them.
import Domain
import Fetch
import FoundationEssentials
import Operations
import Platform
import Postgres
import Store
import Tasks
import TestBasics
import TestSupport
import Testing

struct ClassifierWorld: World {
    static let clock = Actor(kind: .system, name: "schedule")
    static let secret = SigningSecret(key: [UInt8](repeating: 7, count: 32))

    let test: TestDatabase
    let service: ClassifierService
    let portal: Actor
    let port: Int
    let rules: ClassifierRules
    let counts = ClassifierCounts()

    static func with(
        timeout: Int = 5000, port other: Int? = nil, limits adjust: (inout ClassifierLimits) -> Void = { _ in },
        _ body: (ClassifierWorld) async throws -> Void
    ) async throws {
        await avoidEndOfHour()
        let service = ClassifierService()
        let own = try service.start()
        let port = other ?? own
        let exception = try #require(FetchPolicy.Exception("127.0.0.1:\(port)"))
        let test = try await TestDatabase.make()
        var limits = ClassifierLimits(perHour: 1000, perDay: 1000, cacheSeconds: 3600, timeoutMilliseconds: timeout)
        adjust(&limits)
        let world = ClassifierWorld(
            test: test, service: service, portal: try await test.clientActor(), port: port,
            rules: ClassifierRules(
                url: "http://127.0.0.1:\(port)/classify",
                policy: FetchPolicy(allowsHTTP: true, ports: [port], exceptions: [exception]),
                limits: limits, secret: secret))
        do {
            try await body(world)
            await service.stop()
        } catch {
            await service.stop()
            throw error
        }
    }

    // MARK: What a daemon does

    var classify: ClassifySubmissions {
        ClassifySubmissions(
            database: test.database, content: test.rules, rules: rules, client: rules.client(), counts: counts,
            log: Logger(level: .error))
    }

    func loop() -> ClassifierLoop {
        ClassifierLoop(
            database: test.database, classify: classify, log: Logger(level: .error), pollMilliseconds: 20,
            loop: test.loop)
    }

    /// Submits an article.
    @discardableResult
    func submit(
        _ title: String = "Ten cafés", _ body: String = "<p>By the quay.</p>", by contributor: String = "Mo",
        email: String? = nil
    ) async throws -> ID<Submission> {
        try await test.services.receiveSubmission(
            SubmissionDraft(
                type: "article", contributor: contributor, contributorEmail: email,
                fields: ["title": .string(title), "body": .string(body)]),
            by: portal
        ).id
    }

    func screen(isClassified: Bool = true) async throws {
        let rules = test.rules
        while try await test.database.work(
            as: Self.clock, { try await ScreenSubmissions.screen(rules, isClassified: isClassified, $0) })
        {}
    }

    /// Submits, screens, and asks about it.
    @discardableResult
    func ask(_ title: String = "Ten cafés", _ body: String = "<p>By the quay.</p>") async throws -> ID<Submission> {
        let id = try await submit(title, body)
        try await screen()
        _ = try await classify()
        return id
    }

    // MARK: What became of it

    func row(_ id: ID<Submission>) async throws -> ClassificationRow? {
        try await test.database.classifications.find(id)
    }

    func status() async throws -> ClassifierStatus { try #require(try await test.database.classifier.status()) }

    /// Lets the time pass until everything that is tried again is due.
    func hurry() async throws {
        try await test.client.execute(
            "update curation.classification set next_at = clock_timestamp() where state = 'waiting'")
    }

    /// Lets the pause of the breaker end.
    func endPause() async throws {
        try await test.client.execute(
            "update ops.classifier set open_until = clock_timestamp() where open_until is not null")
        try await hurry()
    }
}
