// The forms of a page that are saved while somebody types: reads what is stored, shows it, and removes what is saved.
import Domain
import HTTP
import Store

extension AdminRequest {
    /// The request for a page with forms that are saved while somebody types: the URL that opens each form, and its title.
    package func autosaving(_ forms: KeyValuePairs<String, String>) async throws -> AdminRequest {
        try await autosaving(forms.map { (form: $0.key, title: $0.value) })
    }

    /// The same for a list of forms.
    func autosaving(_ forms: [(form: String, title: String)]) async throws -> AdminRequest {
        guard let account = session?.account else { return self }
        let new = forms.filter { form, _ in !autosaves.contains { $0.form == form } }
        let rows = new.isEmpty ? [] : try await database.autosaves.find(new.map(\.form), of: account)
        var saving = self
        for (form, title) in new {
            var autosave = Autosaved(form: form, title: title, account: account.description)
            if request.method == "POST", self.form.first(AutosaveFields.form) == form {
                autosave.from = self.form.first(AutosaveFields.from) ?? ""
                autosave.isTyped = true
            } else if let row = rows.first(where: { $0.form == form }) {
                // A row without text still says what the tab's script has left behind.
                (autosave.from, autosave.sequence) = (row.tab, row.sequence)
                autosave.fields = try await FormZones.resolved(FormFields(pairs: row.fields ?? .null), database)
                autosave.savedAt = Instant(row.savedAt)
            }
            saving.autosaves.append(autosave)
        }
        return saving
    }

    /// This request as if the form had been submitted with what was typed and not saved; nil if there is nothing. A form that
    /// was just submitted shows what it was submitted with.
    package func restored(_ form: String) -> AdminRequest? {
        guard let index = autosaves.firstIndex(where: { $0.form == form }), !autosaves[index].fields.isEmpty else {
            return nil
        }
        var restored = with(autosaves[index].fields)
        restored.autosaves[index].isRestored = true
        return restored
    }

    /// What was typed into one of several forms of the page and not saved; nil if there is nothing.
    mutating func restore(_ form: String) -> FormFields? {
        guard let restored = restored(form) else { return nil }
        autosaves = restored.autosaves
        return restored.form
    }

    /// The form of the page that this URL opens.
    func autosave(_ form: String) -> Autosaved? { autosaves.first { $0.form == form } }

    /// Removes what was typed into a form that is now saved. The form is saved in any case: text that stays is offered again.
    func finishAutosave() async {
        guard let account = session?.account, let name = form.first(AutosaveFields.form) else { return }
        try? await database.autosaves.finish(
            name, tab: autosaveTab, from: form.first(AutosaveFields.from) ?? "", sequence: autosaveSequence, of: account
        )
    }

    /// The tab that sends the form; empty without script.
    var autosaveTab: String { String((form.first(AutosaveFields.tab) ?? "").prefix(40)) }

    /// The number of the tab's newest text; zero without script.
    var autosaveSequence: Int64 { max(form.first(AutosaveFields.sequence).flatMap(Int64.init) ?? 0, 0) }

    /// The same request with another form.
    func with(_ fields: FormFields) -> AdminRequest {
        AdminRequest(
            request: request.with(form: fields), parameters: parameters, session: session, token: token, csrf: csrf,
            context: context,
            flash: flash, autosaves: autosaves, missingTexts: missingTexts)
    }
}
