// The page for who decided too late: who was faster, and what was typed, so that nothing is lost.
import Domain
import HTTP
import Store

struct StaleDecisionPage: Encodable, Sendable {
    let heading: String
    let state: SubmissionState
    let last: DecisionLine?
    let verdict: String?
    let typed: [RejectedInput]
    let address: String
    let nextAddress: String?
    let queueAddress: String

    static func load(
        _ request: AdminRequest, _ submission: SubmissionRow, _ form: DecisionForm
    ) async throws -> StaleDecisionPage {
        let type = try request.context.rules.type(named: submission.type)
        let query = QueueQuery(request.query)
        let history = try await request.database.decisions.history(of: submission.id)
        let next = try await ReviewPage.next(request, query, after: nil)
        return StaleDecisionPage(
            heading: submission.title, state: submission.state, last: history.last.map { DecisionLine($0) },
            verdict: form.verdict?.label, typed: try await typed(request, form, submission, type),
            address: query.address("/queue/\(submission.id)"),
            nextAddress: next.map { query.address("/queue/\($0)") }, queueAddress: query.address("/queue"))
    }

    /// What differs from what was sent in, and the message.
    private static func typed(
        _ request: AdminRequest, _ form: DecisionForm, _ submission: SubmissionRow, _ type: ContentType
    ) async throws -> [RejectedInput] {
        var texts: [(String, String)] = []
        if form.verdict == .approve {
            let values = FieldForm.values(type, from: form.form)
            let content = Content(fields: values)
            let names = try await EntryNames.load([content], of: type, request.database)
            let changes = ContentDiff.between(
                old: Content(fields: submission.fields), new: content, type: type, naming: { names($0) })
            texts += changes.compactMap { change in change.new.map { (change.label, $0) } }
        }
        if !form.reason.isEmpty { texts.append(("Reason", RejectReason(rawValue: form.reason)?.label ?? form.reason)) }
        if !form.message.isEmpty { texts.append(("Message", form.message)) }
        return texts.enumerated().map { RejectedInput($0, $1.0, $1.1) }
    }
}
