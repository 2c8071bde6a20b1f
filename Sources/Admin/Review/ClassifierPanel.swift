// What the external classifier says about a submission, beside the screening result on its review page.
import FoundationEssentials
import Localization
import Operations
import Store

struct ClassifierPanel: Encodable, Sendable {
    /// Nil unless it answered.
    let score: Int?
    let reasons: [String]
    /// Its name and version, as it calls itself.
    let service: String?
    let respondedAt: Instant?
    /// "No answer yet" or "Not available"; nil if it answered.
    let status: String?

    /// Nil without a classifier and without an answer of an earlier one.
    init?(_ row: ClassificationRow?, _ services: Services, now: Date = Date()) {
        guard let row, row.response != nil || services.classifier != nil else { return nil }
        score = row.response?.score
        reasons = row.response?.reasons ?? []
        let names = [row.response?.name, row.response?.version].compactMap { $0 }
        service = names.isEmpty ? nil : names.joined(separator: " ")
        respondedAt = row.respondedAt.map { Instant($0, now: now) }
        status = row.response != nil ? nil : row.state == .waiting ? tr("No answer yet") : tr("Not available")
    }
}
