// What screening found in a submission, for a line of the queue and for its review page.
import Domain
import FoundationEssentials
import Store

struct ScreeningPanel: Encodable, Sendable {
    struct Reason: Encodable, Sendable {
        let points: Int
        let words: String
    }

    let level: String
    let score: Int
    /// Of its tag.
    let tone: String
    let reasons: [Reason]
    /// The reasons in one line; nil where there are none.
    let why: String?
    let version: Int
    let address: String
    let trust: String
    let when: Instant

    init(_ row: ScreeningRow, now: Date = Date()) {
        level = row.level.rawValue
        score = row.score
        tone = row.level == .high ? "bad" : row.level == .medium ? "wait" : ""
        reasons = row.reasons.map { Reason(points: $0.points, words: $0.words) }
        why = reasons.isEmpty ? nil : reasons.map(\.words).joined(separator: "; ")
        version = row.version
        address = "/screening/\(row.version)"
        trust = Self.trust(row.trust)
        when = Instant(row.screenedAt, now: now)
    }

    static func trust(_ level: Int) -> String { level == 2 ? "trusted" : level == 1 ? "known" : "new" }
}
