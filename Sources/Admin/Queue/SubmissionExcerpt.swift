// How the text of a submission begins, and whether it has an image, for lists.
import Domain
import Markup
import Store

enum SubmissionExcerpt {
    private static let length = 160

    static func summaries(
        of submissions: [ID<Submission>], _ request: AdminRequest
    ) async throws -> [ID<Submission>: SubmissionSummary] {
        let types = request.context.rules.types.all.filter(\.submittable)
        func names(_ fields: (ContentType) -> [Field]) -> [String: [String]] {
            Dictionary(types.map { ($0.name, fields($0).map(\.name)) }) { first, _ in first }
        }
        return try await request.database.summaries.of(
            submissions, fields: names(fields), images: names { $0.fields.filter { $0.type == .image } })
    }

    /// Summaries come before texts.
    private static func fields(_ type: ContentType) -> [Field] {
        let texts = type.fields.filter { $0.type.isText && $0.type != .text }
        return texts.filter { $0.type == .longText } + texts.filter { $0.type != .longText }
    }

    /// One line of plain text; nil if there is none.
    static func text(_ summary: SubmissionSummary, _ type: ContentType?) -> String? {
        guard let beginning = summary.beginning, let type else { return nil }
        let hasMarkup = beginning.contains("<") && type.fields.contains { $0.type == .richText }
        let plain = hasMarkup ? (try? HTMLSanitizer.plainText(beginning)) ?? "" : beginning
        let line = PlainText.singleLine(plain)
        if line.isEmpty { return nil }
        return line.count > length ? "\(line.prefix(length))…" : line
    }
}
