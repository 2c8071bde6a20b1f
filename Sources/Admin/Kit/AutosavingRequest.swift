// The forms of a page that are saved while somebody types: reads what is stored, shows it, and removes what is saved.
import Domain
import HTTP
import Store

extension AdminRequest {
    /// The request for a page with forms that are saved while somebody types: the URL that opens each form, and its title.
    package func autosaving(_ forms: KeyValuePairs<String, String>) async throws -> AdminRequest {
        guard let account = session?.account else { return self }
        let new = forms.filter { form, _ in !autosaves.contains { $0.form == form } }
        let rows = new.isEmpty ? [] : try await database.autosaves.find(new.map(\.key), of: account)
        var saving = self
        for (form, title) in new {
            var autosave = Autosaved(form: form, title: title, account: account.description)
            if request.method == "POST", self.form.first(AutosaveFields.form) == form {
                autosave.from = self.form.first(AutosaveFields.from) ?? ""
                autosave.isTyped = true
            } else if let row = rows.first(where: { $0.form == form }) {
                // A row without text still says what the tab's script has left behind.
                (autosave.from, autosave.sequence) = (row.tab, row.sequence)
                autosave.fields = FormFields(pairs: row.fields ?? .null)
                autosave.savedAt = Instant(row.savedAt)
            }
            saving.autosaves.append(autosave)
        }
        return saving
    }

    /// This request as if the form had been submitted with what was typed and not saved; nil if there is nothing.
    package func restored(_ form: String) -> AdminRequest? {
        guard request.method == "GET", let index = autosaves.firstIndex(where: { $0.form == form }),
            !autosaves[index].fields.isEmpty
        else { return nil }
        var restored = with(autosaves[index].fields)
        restored.autosaves[index].isRestored = true
        return restored
    }

    /// The form of the page that this URL opens.
    func autosave(_ form: String) -> Autosaved? { autosaves.first { $0.form == form } }

    /// Removes what was typed into a form that is now saved. The form is saved in any case: text that stays is offered again.
    func finishAutosave() async {
        guard let account = session?.account, let name = form.first(AutosaveFields.form) else { return }
        try? await database.autosaves.finish(
            name, tab: String((form.first(AutosaveFields.tab) ?? "").prefix(40)),
            from: form.first(AutosaveFields.from) ?? "",
            sequence: form.first(AutosaveFields.sequence).flatMap(Int64.init).map { max($0, 0) } ?? 0, of: account)
    }

    /// The same request with another form.
    func with(_ fields: FormFields) -> AdminRequest {
        AdminRequest(
            request: request.with(fields), parameters: parameters, session: session, token: token, csrf: csrf,
            context: context,
            flash: flash, autosaves: autosaves)
    }
}

extension Request {
    func with(_ fields: FormFields) -> Request {
        Request(
            method: method, path: path, rawTarget: rawTarget, query: query, headers: headers, body: .form(fields),
            remoteAddress: remoteAddress, loop: loop)
    }
}
