// The status of the external classifier on the screening page, for people who may change the screening rules.
import Domain
import FoundationEssentials
import Localization
import Platform
import Store

struct ClassifierStatusView: Encodable, Sendable {
    /// What is known about it; nil while none is configured.
    struct Details: Encodable, Sendable {
        let host: String
        /// "On", or why it is not asked at the moment.
        let state: String
        let tone: String
        let hour: String
        let day: String
        let responses: Int
        let reused: Int
        let failures: Int
        let skipped: Int
        let waiting: Int
        /// "120 ms"; nil without answers in the last 24 hours.
        let median: String?
        let respondedAt: Instant?
        /// The reason of the latest failure, since the last answer.
        let problem: String?
        let failingSince: Instant?
    }

    let details: Details?

    static func load(_ request: AdminRequest) async throws -> ClassifierStatusView {
        guard let settings = request.services.classifier, let status = try await request.database.classifier.status()
        else { return ClassifierStatusView(details: nil) }
        return ClassifierStatusView(details: Details(settings, status))
    }
}

extension ClassifierStatusView.Details {
    init(_ settings: Settings.Classifier, _ status: ClassifierStatus, now: Date = Date()) {
        host = settings.host
        switch status.breaker {
        case .closed:
            state = tr("On", context: "classifier")
            tone = "ok"
        case .halfOpen:
            state = tr("Trying again")
            tone = "wait"
        case .open:
            let until = status.openUntil ?? now
            state = tr("Paused after failures for \(Age.text(seconds: Int(until.timeIntervalSince(now)) + 1))")
            tone = "bad"
        }
        hour = Self.budget(status.callsThisHour, of: settings.perHour)
        day = Self.budget(status.callsToday, of: settings.perDay)
        responses = status.responsesToday
        reused = status.reusedToday
        failures = status.failuresToday
        skipped = status.skippedToday
        waiting = status.waiting
        median = status.medianMilliseconds.map { tr("\($0) ms", context: "classifier") }
        respondedAt = status.respondedAt.map { Instant($0, now: now) }
        problem = status.lastError
        failingSince = status.failingSince.map { Instant($0, now: now) }
    }

    private static func budget(_ calls: Int, of most: Int) -> String {
        tr("\(calls) of \(most), \(max(most - calls, 0)) left", context: "classifier")
    }
}
