// How the text of a submission begins, and whether it has an image, for lists.
import Domain
import Store

enum SubmissionExcerpt {
    static func summaries(
        of submissions: [ID<Submission>], _ request: AdminRequest
    ) async throws -> [ID<Submission>: SubmissionSummary] {
        let types = request.context.rules.types.all.filter(\.submittable)
        let images = types.map { type in (type.name, type.fields.filter { $0.type == .image }.map(\.name)) }
        return try await request.database.summaries.of(
            submissions, fields: Excerpt.fields(of: types), images: Dictionary(images) { first, _ in first })
    }

    /// One line of plain text; nil if there is none.
    static func text(_ summary: SubmissionSummary, _ type: ContentType?) -> String? {
        Excerpt.text(summary.beginning, type)
    }
}
