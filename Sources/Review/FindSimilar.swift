// Finds what is like a submission among what was sent in and what is live.
import Domain
import Store

/// Something alike, with its score from 0 to 1.
package struct Similar: Sendable {
    package let row: SimilarRow
    package let score: Double
    /// It is the same page, whatever the words say.
    package let isSameAddress: Bool
}

package struct FindSimilar: Sendable {
    private let database: Database
    private let rules: ContentRules

    package init(database: Database, rules: ContentRules) {
        self.database = database
        self.rules = rules
    }

    /// The most alike first; those of the same address before all others.
    package func callAsFunction(_ submission: SubmissionRow, limit: Int = 5) async throws -> [Similar] {
        let type = try rules.type(named: submission.type)
        let content = Content(fields: submission.fields)
        let similarity = Similarity(
            content, in: type, plain: rules.plain(content, in: type), sourceURL: submission.sourceURL)
        let candidates = try await database.similarities.candidates(for: similarity, except: submission.id.uuid)
        return Array(Self.similar(similarity, among: candidates).prefix(limit))
    }

    package static func similar(_ similarity: Similarity, among candidates: [SimilarRow]) -> [Similar] {
        candidates.map { row in
            Similar(
                row: row, score: similarity.score(with: row.similarity),
                isSameAddress: similarity.hasAddress(of: row.similarity))
        }
        .filter { $0.isSameAddress || $0.score >= Similarity.least }
        .sorted { ($0.isSameAddress ? 1 : 0, $0.score) > ($1.isSameAddress ? 1 : 0, $1.score) }
    }

    /// What a submission or a live entry holds, to be compared; nil where there is none.
    package func content(of original: Original) async throws -> (type: String, title: String, content: Content)? {
        switch original {
        case .submission(let id):
            guard let row = try await database.submissions.find(id) else { return nil }
            return (row.type, row.title, Content(fields: row.fields))
        case .entry(let id):
            guard let entry = try await database.entries.find(id),
                let revision = try await database.revisions.live(of: id)
            else { return nil }
            return (entry.type, entry.title, revision.content)
        }
    }
}
