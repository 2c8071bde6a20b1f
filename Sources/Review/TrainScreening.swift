// Counts what was decided since it last looked: the words of spam and of what was accepted, and the records of contributors.
import Domain
import FoundationEssentials
import Store

package enum TrainScreening {
    /// Of one transaction.
    package static let atOnce = 300

    /// Whether there may be more. What was undone or decided otherwise is taken out again.
    package static func train(_ rules: ContentRules, _ change: Change) async throws -> Bool {
        let end = try await change.spam.partEnd()
        let samples = try await change.spam.samples(until: end, limit: atOnce)
        if samples.isEmpty, end == nil { return false }
        var tokens: [SpamToken: SpamCount] = [:]
        var records: [ContributorKey: ContributorRecord] = [:]
        var totals = SpamCount()
        for sample in samples {
            let subject = ScreenedSubject(
                id: sample.id, type: sample.type, fields: sample.fields, contributor: sample.contributor, rules: rules)
            for (verdict, sign) in [(sample.trained, -1), (sample.verdict, 1)] {
                if let contributor = sample.contributor {
                    add(verdict, sign, to: &records[contributor, default: ContributorRecord()])
                }
                switch verdict {
                case "spam":
                    totals.spam += sign
                    for token in subject.tokens { tokens[token, default: SpamCount()].spam += sign }
                case "approved":
                    totals.ham += sign
                    for token in subject.tokens { tokens[token, default: SpamCount()].ham += sign }
                default: break
                }
            }
        }
        let trained = samples.count < atOnce ? end : samples.last?.decidedAt
        try await change.spam.train(samples, tokens: tokens, records: records, totals: totals, until: trained)
        return trained != nil
    }

    private static func add(_ verdict: String?, _ sign: Int, to record: inout ContributorRecord) {
        switch verdict {
        case "approved": record.approved += sign
        case "rejected": record.rejected += sign
        case "spam":
            record.rejected += sign
            record.spam += sign
        default: break
        }
    }
}
