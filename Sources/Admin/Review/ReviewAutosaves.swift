// The forms of the review page that are saved while somebody types: decisions, snooze, assign and the note.
import Domain
import HTTP
import Localization
import Operations
import Store

struct ReviewAutosaves: Encodable, Sendable {
    let approve: Autosaved?
    let reject: Autosaved?
    let requestChanges: Autosaved?

    init(_ request: AdminRequest, _ id: ID<Submission>) {
        approve = request.autosave(Self.url(id, Verdict.approve.rawValue))
        reject = request.autosave(Self.url(id, Verdict.reject.rawValue))
        requestChanges = request.autosave(Self.url(id, Verdict.requestChanges.rawValue))
    }

    /// One of the forms besides the decisions.
    static func action(
        _ form: SubmissionActionForms.Rejected.Form, _ request: AdminRequest, _ id: ID<Submission>
    ) -> Autosaved? { request.autosave(url(id, form.rawValue)) }

    /// The page with a fragment that tells its forms apart.
    private static func url(_ id: ID<Submission>, _ form: String) -> String { AdminURL.submission(id) + "#" + form }

    static func saving(_ request: AdminRequest, _ submission: SubmissionRow) async throws -> AdminRequest {
        let title = submission.title.isEmpty ? tr("Untitled", context: "undo") : submission.title
        func url(_ form: String) -> String { Self.url(submission.id, form) }
        return try await request.autosaving([
            url(Verdict.approve.rawValue): tr("Approve: \(title)", context: "autosave"),
            url(Verdict.reject.rawValue): tr("Reject: \(title)", context: "autosave"),
            url(Verdict.requestChanges.rawValue): tr("Request changes: \(title)", context: "autosave"),
            url("snooze"): tr("Snooze: \(title)", context: "autosave"),
            url("assign"): tr("Assign: \(title)", context: "autosave"),
            url("note"): tr("Internal note: \(title)", context: "autosave"),
        ])
    }

    /// A decision settles what was typed for other decisions.
    static func discard(_ request: AdminRequest, _ id: ID<Submission>) async {
        guard let account = request.session?.account else { return }
        let forms = [Verdict.approve, .reject, .requestChanges].map { url(id, $0.rawValue) }
        try? await request.database.autosaves.discard(forms, of: account)
    }

    /// The decisions that were typed and not made, and what was typed into the other forms; only what the page has a form for.
    static func restored(
        _ request: inout AdminRequest, _ submission: SubmissionRow, _ type: ContentType,
        _ permissions: ReviewPermissions
    ) -> (decisions: [DecisionForm], actions: [SubmissionActionForms.Rejected]) {
        guard permissions.mayReview else { return ([], []) }
        let id = submission.id
        var decisions: [DecisionForm] = []
        let possible = Decision.verdicts(in: submission.state)
        for verdict in [Verdict.approve, .reject, .requestChanges] where possible.contains(verdict) {
            guard var form = request.restore(url(id, verdict.rawValue)) else { continue }
            form.append("verdict", verdict.rawValue)
            decisions.append(DecisionForm(form, type))
        }
        var actions: [SubmissionActionForms.Rejected] = []
        for form in submission.state == .pending
            ? [SubmissionActionForms.Rejected.Form.snooze, .assign, .note] : [.note]
        {
            guard let fields = request.restore(url(id, form.rawValue)) else { continue }
            actions.append(SubmissionActionForms.Rejected(form: form, fields: fields))
        }
        return (decisions, actions)
    }
}
