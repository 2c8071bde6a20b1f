// Shown after a decision on a submission that has changed: who changed it, and the unsaved input.
import Domain
import HTTP
import Localization
import Store

struct StaleDecisionPage: Encodable, Sendable {
    let heading: String
    let state: String
    let last: DecisionLine?
    let verdict: String?
    let inputs: [RejectedInput]
    let url: String
    let nextURL: String?
    let queueURL: String

    static func load(
        _ request: AdminRequest, _ submission: SubmissionRow, _ form: DecisionForm
    ) async throws -> StaleDecisionPage {
        let type = try request.context.rules.type(named: submission.type)
        let query = QueueQuery(request.query)
        let history = try await request.database.decisions.history(of: submission.id)
        let next = try await ReviewPage.next(request, query, after: nil)
        return StaleDecisionPage(
            heading: submission.title, state: submission.state.label, last: history.last.map { DecisionLine($0, type) },
            verdict: form.verdict?.label, inputs: try await inputs(request, form, submission, type),
            url: query.url(AdminURL.submission(submission.id)),
            nextURL: next.map { query.url(AdminURL.submission($0)) }, queueURL: query.url(AdminURL.queue()))
    }

    /// The edited fields, the reason and the message.
    private static func inputs(
        _ request: AdminRequest, _ form: DecisionForm, _ submission: SubmissionRow, _ type: ContentType
    ) async throws -> [RejectedInput] {
        var texts: [(String, String)] = []
        if form.verdict == .approve {
            let content = Content(fields: form.values(of: submission, as: type))
            let names = try await EntryTitles.load([content], of: type, request.database)
            let changes = ContentDiff.between(
                old: Content(fields: submission.fields), new: content, type: type, naming: { names($0) })
            texts += changes.compactMap { transaction in transaction.new.map { (transaction.label, $0) } }
        }
        if !form.reason.isEmpty {
            texts.append(
                (
                    tr("Reason", context: "stale decision page"),
                    RejectReason(rawValue: form.reason)?.label ?? form.reason
                ))
        }
        if !form.message.isEmpty { texts.append((tr("Message", context: "stale decision page"), form.message)) }
        texts += FieldNotes.lines(form.fieldNotes, as: type).map { ($0.label, $0.text) }
        return texts.enumerated().map { RejectedInput($0, $1.0, $1.1) }
    }
}
