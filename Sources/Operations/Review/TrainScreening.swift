// Trains screening on new decisions: spam and approved token counts, and contributor records.
import Domain
import FoundationEssentials
import Store

package enum TrainScreening {
    /// Samples per transaction.
    package static let batchSize = 300

    /// Returns whether there may be more. Samples whose decision was undone or changed are subtracted again.
    package static func train(_ rules: ContentRules, _ transaction: AuditedTransaction) async throws -> Bool {
        let end = try await transaction.spam.batchEnd()
        let samples = try await transaction.spam.samples(until: end, limit: batchSize)
        if samples.isEmpty, end == nil { return false }
        var tokens: [SpamToken: SpamCount] = [:]
        var records: [ContributorKey: ContributorRecord] = [:]
        var totals = SpamCount()
        for sample in samples {
            let subject = try await ScreenedSubject(
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
        let trained = samples.count < batchSize ? end : samples.last?.decidedAt
        try await transaction.spam.train(samples, tokens: tokens, records: records, totals: totals, until: trained)
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
