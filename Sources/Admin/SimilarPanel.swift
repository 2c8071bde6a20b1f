// What is like a submission, on its review page: the same address as a banner, the rest as a list with scores.
import Domain
import FoundationEssentials
import Review
import Store

struct SimilarPanel: Encodable, Sendable {
    struct Line: Encodable, Sendable {
        let title: String
        let address: String
        /// What it is, whence and since when.
        let about: String
        let since: Instant
        /// From 0.00 to 1.00.
        let score: String
        let compareAddress: String

        init(_ similar: Similar, _ request: AdminRequest, beside id: ID<Submission>) {
            let row = similar.row
            title = row.title.isEmpty ? "Without a title" : row.title
            address = SimilarPanel.address(of: row.original)
            let type = request.context.rules.types[row.type]?.label ?? row.type
            let standing = row.state.map { $0 == .pending ? "waits" : $0.rawValue } ?? "live"
            about = [type, row.source.map { "from \($0)" }, standing].compactMap(\.self).joined(separator: ", ")
            since = Instant(row.since)
            score = SimilarPanel.text(similar.score)
            compareAddress = QueueQuery(request.query).address(
                "/queue/\(id)/similarity/\(SimilarPanel.id(of: row.original))")
        }
    }

    /// The same page was sent in before, or is live.
    let sameAddress: [Line]
    let lines: [Line]

    /// Nil where nothing is alike.
    static func load(_ request: AdminRequest, _ submission: SubmissionRow) async throws -> SimilarPanel? {
        let found = try await FindSimilar(database: request.database, rules: request.context.rules)(submission)
        if found.isEmpty { return nil }
        func lines(_ isSame: Bool) -> [Line] {
            found.filter { $0.isSameAddress == isSame }.map { Line($0, request, beside: submission.id) }
        }
        return SimilarPanel(sameAddress: lines(true), lines: lines(false))
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

    static func address(of original: Original) -> String {
        switch original {
        case .submission(let id): "/queue/\(id)"
        case .entry(let id): "/entries/\(id)"
        }
    }
}
