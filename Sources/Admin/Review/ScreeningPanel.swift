// The screening result of a submission, in the queue and on its review page.
import Domain
import FoundationEssentials
import Localization
import Store

struct ScreeningPanel: Encodable, Sendable {
    struct Reason: Encodable, Sendable {
        let points: Int
        let text: String
    }

    /// Low, Medium or High.
    let level: String
    let score: Int
    /// The style of the tag.
    let tone: String
    let reasons: [Reason]
    /// The reasons in one line; nil if no rule matched.
    let summary: String?
    let version: Int
    /// "New contributor", "Known contributor" or "Trusted contributor".
    let trust: String
    let screenedAt: Instant

    init(_ row: ScreeningRow, now: Date = Date()) {
        level =
            switch row.level {
            case .low: tr("Low", context: "reason")
            case .medium: tr("Medium", context: "reason")
            case .high: tr("High", context: "reason")
            }
        score = row.score
        tone = row.level == .high ? "bad" : row.level == .medium ? "wait" : ""
        reasons = row.reasons.map { Reason(points: $0.points, text: $0.message) }
        summary = reasons.isEmpty ? nil : reasons.map(\.text).joined(separator: "; ")
        version = row.version
        trust = Self.trust(row.trust)
        screenedAt = Instant(row.screenedAt, now: now)
    }

    private static func trust(_ level: Int) -> String {
        level == 2 ? tr("Trusted contributor") : level == 1 ? tr("Known contributor") : tr("New contributor")
    }
}
