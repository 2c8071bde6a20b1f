// Saves what somebody types into a form before the form itself is saved. It is no change of content and has no audit event.
import Domain
import FoundationEssentials
import Store

package struct SaveAutosave: Sendable {
    package enum Outcome: Sendable {
        /// A newer state of the same tab counts, too.
        case saved(Date)
        /// Another tab or browser has unsaved text in the same form.
        case elsewhere(AutosaveRow)
        /// The account has too many unsaved texts already.
        case full
    }

    let database: Database

    /// Secrets and what the page's script sends for itself are left out. `isForced`: it replaces the text of another tab.
    package func callAsFunction(
        _ draft: AutosaveDraft, of account: ID<Account>, isForced: Bool = false
    ) async throws -> Outcome {
        let fields = (draft.fields.arrayValue ?? []).filter { field in
            guard let name = field.arrayValue?.first?.stringValue else { return false }
            return !FormSecrets.contains(name) && !Self.names.contains(name) && !name.hasPrefix("autosave")
        }
        func kept(from: String) -> AutosaveDraft {
            AutosaveDraft(
                form: draft.form, title: String(String.UnicodeScalarView(draft.title.unicodeScalars.prefix(200))),
                tab: draft.tab, from: from, sequence: draft.sequence, fields: .array(fields))
        }
        // Between the attempts another tab may save.
        var from = draft.from
        for _ in 0..<3 {
            switch try await database.autosaves.save(kept(from: from), of: account) {
            case .saved(let date): return .saved(date)
            case .full: return .full
            case .outdated: break
            }
            guard let row = try await database.autosaves.find(draft.form, of: account) else { continue }
            if row.tab == draft.tab { return .saved(row.savedAt) }
            guard isForced else { return .elsewhere(row) }
            from = row.tab
        }
        throw Failure.unavailable("The form was changed in several places at once. Try again.")
    }

    /// Buttons of forms.
    private static let names: Set = ["action", "resolve", "show"]
}
