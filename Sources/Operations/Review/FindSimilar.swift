// Finds pending submissions and published entries that are similar to a submission.
import Domain
import Store

/// A similar submission or entry, with its score from 0 to 1.
package struct Similar: Sendable {
    package let row: SimilarRow
    package let score: Double
    /// Both have the same canonical URL, whatever their texts.
    package let isSameURL: Bool
}

package struct FindSimilar: Sendable {
    let database: Database
    let rules: ContentRules

    /// The highest score first; matches with the same URL before all others.
    package func callAsFunction(_ submission: SubmissionRow, limit: Int = 5) async throws -> [Similar] {
        let type = try rules.type(named: submission.type)
        let content = Content(fields: submission.fields)
        let similarity = Similarity(
            content, in: type, plain: try await rules.plain(content, in: type), sourceURL: submission.sourceURL)
        let candidates = try await database.similarities.candidates(for: similarity, except: submission.id.uuid)
        return Array(Self.similar(similarity, among: candidates).prefix(limit))
    }

    package static func similar(_ similarity: Similarity, among candidates: [SimilarRow]) -> [Similar] {
        candidates.map { row in
            Similar(
                row: row, score: similarity.score(with: row.similarity),
                isSameURL: similarity.hasURL(of: row.similarity))
        }
        .filter { $0.isSameURL || $0.score >= Similarity.threshold }
        .sorted { ($0.isSameURL ? 1 : 0, $0.score) > ($1.isSameURL ? 1 : 0, $1.score) }
    }

    /// The content of a submission or published entry, for comparison; nil if there is none.
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
