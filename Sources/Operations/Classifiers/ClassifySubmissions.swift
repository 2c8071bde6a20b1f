// Asks the external classifier about screened submissions, in the background: nothing waits for it, and it decides nothing.
import Domain
import Fetch
import FoundationEssentials
import Localization
import Platform
import Store

package struct ClassifySubmissions: Sendable {
    /// Calls of one daemon at the same time.
    package static let concurrency = 4
    /// The most submissions of one pass.
    package static let batch = 100
    /// A longer response is refused.
    static let responseBytes = 16 << 10
    private static let actor = Actor(kind: .system, name: "schedule")

    private let database: Database
    private let content: ContentRules
    private let rules: ClassifierRules
    private let client: FetchClient
    private let counts: ClassifierCounts
    private let log: Logger

    package init(
        database: Database, content: ContentRules, rules: ClassifierRules, client: FetchClient,
        counts: ClassifierCounts = ClassifierCounts(), log: Logger
    ) {
        self.database = database
        self.content = content
        self.rules = rules
        self.client = client
        self.counts = counts
        self.log = log
    }

    /// One pass over the submissions that are due. Returns how many were handled.
    package func callAsFunction(unless isStopping: @escaping @Sendable () -> Bool = { false }) async throws -> Int {
        guard try await database.classifications.isAnyDue() else { return 0 }
        let limits = rules.limits
        try await database.work(as: Self.actor) { try await $0.classifications.giveUp(limits) }
        return try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<Self.concurrency {
                group.addTask {
                    var handled = 0
                    while handled < Self.batch / Self.concurrency, !isStopping(), let claimed = try await claim() {
                        try await classify(claimed)
                        handled += 1
                    }
                    return handled
                }
            }
            return try await group.reduce(0, +)
        }
    }

    private func claim() async throws -> ClaimedClassification? {
        let limits = rules.limits
        return try await database.work(as: Self.actor) { try await $0.classifications.claim(limits) }
    }

    /// Each step is a transaction of its own: none is open while the service responds.
    private func classify(_ claimed: ClaimedClassification) async throws {
        guard let request = try await request(about: claimed) else {
            try await database.work(as: Self.actor) {
                try await $0.classifications.skip(claimed, "The submission no longer awaits a decision.")
            }
            return counts.add(.skipped)
        }
        let limits = rules.limits
        let admission = try await database.work(as: Self.actor) {
            try await $0.classifications.admit(claimed, hash: request.hash, limits)
        }
        switch admission {
        case .call: try await call(claimed, request)
        case .reused: counts.add(.reused)
        case .skipped:
            counts.add(.skipped)
            log.debug("the classifier's budget is used up", ["submission": .text(claimed.submission.description)])
        case .postponed, .outdated: break
        }
    }

    /// Nil if the submission no longer awaits a decision, or its content type no longer exists.
    private func request(about claimed: ClaimedClassification) async throws -> ClassifierRequest? {
        guard let subject = try await database.classifications.subject(claimed.submission),
            let type = content.types[subject.type]
        else { return nil }
        let fields = Content(fields: subject.fields)
        let text = ClassifiedText(fields, in: type, plain: try await content.plain(fields, in: type))
        var contributor: ContributorKey?
        if let client = subject.client, let name = subject.contributor {
            contributor = ContributorKey(client: client, contributor: name)
        }
        let records = try await database.spam.records(of: Set([contributor].compactMap { $0 }))
        return ClassifierRequest(
            claimed.submission, text, contributor: contributor,
            record: contributor.flatMap { records[$0] } ?? ContributorRecord(), at: Date(), rules: rules)
    }

    // MARK: Calling

    /// Why a call brought no usable answer.
    private struct Problem: Error {
        let message: String
        /// Seconds that the service asks to wait.
        var pause = 0
    }

    private func call(_ claimed: ClaimedClassification, _ request: ClassifierRequest) async throws {
        let clock = Stopwatch()
        do {
            let response = try await send(request, id: ID<Submission>(claimed.message).description)
            let milliseconds = clock.milliseconds
            let wasOpen = try await database.work(as: Self.actor) {
                try await $0.classifications.record(claimed, response, milliseconds: milliseconds)
            }
            counts.add(.scored, milliseconds: milliseconds)
            if wasOpen { log.info("the classifier answers again") }
        } catch let problem as Problem {
            counts.add(.failed)
            try await record(problem, claimed)
        }
    }

    private func send(_ request: ClassifierRequest, id: String) async throws -> ClassifierResponse {
        let headers = SigningSecret.headers(
            id: id, seconds: Int(Date().timeIntervalSince1970), body: request.body, secrets: [rules.secret])
        var post = FetchRequest("POST", headers: headers + [("Accept", "application/json")], body: request.body)
        post.responseLimit = Self.responseBytes
        post.wholeMilliseconds = rules.limits.timeoutMilliseconds
        let response: FetchResponse
        do {
            response = try await client.send(post, to: rules.url)
        } catch let failure as FetchFailure {
            throw Problem(message: tr("The classifier did not respond: \(failure.description)"))
        } catch let refusal as FetchRefusal {
            throw Problem(message: refusal.description)
        }
        guard response.status == 200 else {
            let isBusy = response.status == 429 || response.status == 503
            throw Problem(
                message: tr("The classifier returned status \(response.status)."),
                pause: isBusy ? min(response.retryAfter ?? 0, rules.limits.longestPauseSeconds) : 0)
        }
        if response.isCut {
            throw Problem(message: tr("The classifier's answer is longer than \(Self.responseBytes) bytes."))
        }
        do {
            return try ClassifierResponse(reading: response.body)
        } catch {
            throw Problem(message: error.description)
        }
    }

    private func record(_ problem: Problem, _ claimed: ClaimedClassification) async throws {
        let limits = rules.limits
        // At the last attempt, nothing comes after it.
        let delay =
            claimed.attempts >= limits.maxAttempts
            ? nil
            : limits.retries.delay(
                after: claimed.attempts, chance: Double.random(in: 0...1), atLeast: problem.pause)
        let openUntil = try await database.work(as: Self.actor) {
            try await $0.classifications.fail(
                claimed, problem.message, retryAfter: delay, pause: problem.pause, limits)
        }
        log.warning(
            "the classifier gave no answer",
            [
                "submission": .text(claimed.submission.description), "attempt": .integer(claimed.attempts),
                "reason": .text(problem.message),
            ])
        if let openUntil {
            log.error(
                "the classifier is not asked for now",
                ["until": .text(InstantText.text(openUntil, milliseconds: false))])
        }
    }
}
