// Compares a submission with a similar one or an entry, and marks it as a duplicate.
import Domain
import HTTP
import Localization
import Operations
import Store

enum SimilarityPages {
    private struct Side: Encodable, Sendable {
        let title: String
        let url: String
        let about: String
        let values: [FieldView]
    }

    private struct Model: Encodable, Sendable {
        let mine: Side
        let other: Side
        let otherID: String
        let score: String
        let isSimilar: Bool
        let isSameURL: Bool
        let lines: [DiffTable.Line]
        let unchanged: String
        /// Nil if the submission can't be marked as a duplicate.
        let decisionURL: String?
        let version: Int
    }

    static func show(_ request: AdminRequest) async throws -> Response {
        let submission = try await ReviewPages.find(request)
        let rules = request.context.rules
        let find = request.services.findSimilar
        guard let id = request.parameters["other"].flatMap({ ID<Entry>($0) }),
            let original = try await request.database.originals.find(id.uuid)?.original,
            let other = try await find.content(of: original)
        else { throw Failure.missing(tr("submission or entry")) }
        let type = try rules.type(named: submission.type)
        let otherType = try rules.type(named: other.type)
        let mine = Content(fields: submission.fields)
        let (one, two) = (
            Similarity(mine, in: type, plain: try await rules.plain(mine, in: type), sourceURL: submission.sourceURL),
            Similarity(other.content, in: otherType, plain: try await rules.plain(other.content, in: otherType))
        )
        let names = try await EntryTitles.load([mine, other.content], of: type, request.database)
        let score = one.score(with: two)
        let permissions = try await request.services.readReviewPermissions(submission, by: request.actor)
        let (comparing, theirs) = (names.comparing(on: request), other.content)
        let shown = try await request.rendering([mine, theirs]) {
            (
                mine: Self.views(mine, type, names, comparing.images),
                other: Self.views(theirs, otherType, names, comparing.images),
                lines: DiffTable.lines(from: theirs, to: mine, type, comparing)
            )
        }
        let mayDecide =
            permissions.decision == nil && Decision.verdicts(in: submission.state).contains(.duplicate)
        let model = Model(
            mine: Side(
                title: submission.title.isEmpty ? tr("Untitled", context: "model") : submission.title,
                url: QueueQuery(request.query).url(AdminURL.submission(submission.id)),
                about: "\(type.label), \(submission.sourceName), \(submission.state.label)",
                values: shown.mine),
            other: Side(
                title: other.title.isEmpty ? tr("Untitled", context: "model") : other.title,
                url: SimilarPanel.url(of: original),
                about: "\(otherType.label), \(original.entry == nil ? "submission" : "published entry")",
                values: shown.other),
            otherID: SimilarPanel.id(of: original), score: SimilarPanel.text(score),
            isSimilar: score >= Similarity.threshold, isSameURL: one.hasURL(of: two),
            lines: shown.lines,
            unchanged: DiffTable.unchanged(from: other.content, to: mine, type),
            decisionURL: mayDecide
                ? QueueQuery(request.query).url(AdminURL.submissionDecision(submission.id)) : nil,
            version: submission.version)
        return try request.page(
            "admin/review/similarity", model,
            title: tr("\(model.mine.title) and \(model.other.title)", context: "model"))
    }

    private static func views(
        _ content: Content, _ type: ContentType, _ names: EntryTitles, _ images: ContentImages
    ) -> [FieldView] {
        type.fields.compactMap { field in
            content.fields[field.name].map { FieldView(field, $0, titles: names, images: images) }
        }
    }
}
