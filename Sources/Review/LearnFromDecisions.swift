// Counts what was decided since it last looked: the words of spam and of what was accepted, and the records of contributors.
import Domain
import FoundationEssentials
import Store

package enum LearnFromDecisions {
    /// Of one transaction.
    package static let atOnce = 300

    /// Whether there may be more. What was undone or decided otherwise is taken out again.
    package static func learn(_ rules: ContentRules, _ change: Change) async throws -> Bool {
        let end = try await change.spam.partEnd()
        let lessons = try await change.spam.lessons(until: end, limit: atOnce)
        if lessons.isEmpty, end == nil { return false }
        var tokens: [SpamToken: SpamCount] = [:]
        var records: [ContributorKey: ContributorRecord] = [:]
        var totals = SpamCount()
        for lesson in lessons {
            let subject = ScreenedSubject(
                id: lesson.id, type: lesson.type, fields: lesson.fields, contributor: lesson.contributor, rules: rules)
            for (verdict, sign) in [(lesson.learned, -1), (lesson.verdict, 1)] {
                if let contributor = lesson.contributor {
                    add(verdict, sign, to: &records[contributor, default: ContributorRecord()])
                }
                switch verdict {
                case "spam":
                    totals.spam += sign
                    for token in subject.tokens { tokens[token, default: SpamCount()].spam += sign }
                case "accepted":
                    totals.ham += sign
                    for token in subject.tokens { tokens[token, default: SpamCount()].ham += sign }
                default: break
                }
            }
        }
        let learned = lessons.count < atOnce ? end : lessons.last?.decidedAt
        try await change.spam.learn(lessons, tokens: tokens, records: records, totals: totals, until: learned)
        return learned != nil
    }

    private static func add(_ verdict: String?, _ sign: Int, to record: inout ContributorRecord) {
        switch verdict {
        case "accepted": record.accepted += sign
        case "rejected": record.rejected += sign
        case "spam":
            record.rejected += sign
            record.spam += sign
        default: break
        }
    }
}
