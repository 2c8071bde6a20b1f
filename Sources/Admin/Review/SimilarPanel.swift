// Similar submissions and entries on the review page: the same URL as a banner, the rest as a list with scores.
import Domain
import FoundationEssentials
import Localization
import Operations
import Store

struct SimilarPanel: Encodable, Sendable {
    struct Line: Encodable, Sendable {
        let title: String
        let url: String
        /// Type, source and state.
        let about: String
        let since: Instant
        /// From 0.00 to 1.00.
        let score: String
        let compareURL: String

        init(_ similar: Similar, _ request: AdminRequest, comparedTo id: ID<Submission>) {
            let row = similar.row
            title = row.title.isEmpty ? tr("Untitled", context: "line") : row.title
            url = SimilarPanel.url(of: row.original)
            let type = request.context.rules.types[row.type]?.label ?? row.type
            about = [type, row.source.map(ActorName.shown), row.state?.label ?? tr("Published", context: "line")]
                .compactMap(\.self).joined(separator: ", ")
            since = Instant(row.since)
            score = SimilarPanel.text(similar.score)
            compareURL = QueueQuery(request.query).url(
                AdminURL.submissionSimilar(id, SimilarPanel.id(of: row.original)))
        }
    }

    /// Submissions and entries with the same URL.
    let sameURL: [Line]
    let lines: [Line]

    /// Nil if nothing is similar.
    static func load(_ request: AdminRequest, _ submission: SubmissionRow) async throws -> SimilarPanel? {
        let found = try await request.services.findSimilar(submission)
        if found.isEmpty { return nil }
        func lines(_ isSame: Bool) -> [Line] {
            found.filter { $0.isSameURL == isSame }.map { Line($0, request, comparedTo: submission.id) }
        }
        return SimilarPanel(sameURL: lines(true), lines: lines(false))
    }

    static func text(_ score: Double) -> String {
        let hundredths = Int((score * 100).rounded())
        return hundredths >= 100 ? "1.00" : "0.\(hundredths < 10 ? "0" : "")\(hundredths)"
    }

    static func id(of original: Original) -> String {
        switch original {
        case .submission(let id): id.description
        case .entry(let id): id.description
        }
    }

    static func url(of original: Original) -> String {
        switch original {
        case .submission(let id): AdminURL.submission(id)
        case .entry(let id): AdminURL.entry(id)
        }
    }
}
