// The forms of the review page that are saved while somebody types: decisions and the note.
import Domain
import HTTP
import Localization
import Store

struct ReviewAutosaves: Encodable, Sendable {
    let approve: Autosaved?
    let reject: Autosaved?
    let requestChanges: Autosaved?
    let note: Autosaved?

    init(_ request: AdminRequest, _ id: ID<Submission>) {
        approve = request.autosave(Self.url(id, Verdict.approve.rawValue))
        reject = request.autosave(Self.url(id, Verdict.reject.rawValue))
        requestChanges = request.autosave(Self.url(id, Verdict.requestChanges.rawValue))
        note = request.autosave(Self.url(id, "note"))
    }

    /// The page with a fragment that tells its forms apart.
    private static func url(_ id: ID<Submission>, _ form: String) -> String { AdminURL.submission(id) + "#" + form }

    static func saving(_ request: AdminRequest, _ submission: SubmissionRow) async throws -> AdminRequest {
        let title = submission.title.isEmpty ? tr("Untitled", context: "undo") : submission.title
        func url(_ form: String) -> String { Self.url(submission.id, form) }
        return try await request.autosaving([
            url(Verdict.approve.rawValue): tr("Approve: \(title)", context: "autosave"),
            url(Verdict.reject.rawValue): tr("Reject: \(title)", context: "autosave"),
            url(Verdict.requestChanges.rawValue): tr("Request changes: \(title)", context: "autosave"),
            url("note"): tr("Internal note: \(title)", context: "autosave"),
        ])
    }

    /// A decision settles what was typed for other decisions.
    static func discard(_ request: AdminRequest, _ id: ID<Submission>) async {
        guard let account = request.session?.account else { return }
        for verdict in [Verdict.approve, .reject, .requestChanges] {
            try? await request.database.autosaves.discard(url(id, verdict.rawValue), of: account)
        }
    }

    /// The decisions that were typed and not made, and the note.
    static func restored(
        _ request: inout AdminRequest, _ id: ID<Submission>, _ type: ContentType
    ) -> (decisions: [DecisionForm], note: SubmissionActionForms.Rejected?) {
        var decisions: [DecisionForm] = []
        for verdict in [Verdict.approve, .reject, .requestChanges] {
            guard let restored = request.restored(url(id, verdict.rawValue)) else { continue }
            request.autosaves = restored.autosaves
            var form = restored.form
            form.append("verdict", verdict.rawValue)
            decisions.append(DecisionForm(form, type))
        }
        guard let restored = request.restored(url(id, "note")) else { return (decisions, nil) }
        request.autosaves = restored.autosaves
        return (decisions, SubmissionActionForms.Rejected(form: .note, fields: restored.form))
    }
}
