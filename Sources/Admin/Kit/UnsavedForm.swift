// A submitted form that was not saved because its session had ended: it is shown again, filled in, after signing in.
import Domain
import FoundationEssentials
import HTTP
import Localization
import Operations
import Store

/// Travels in a hidden field of the sign-in form, because the server doesn't know yet whose text it is.
struct UnsavedForm: Sendable {
    /// The name of the hidden field.
    static let field = "unsaved"

    let form: String
    let account: String
    let from: String
    let fields: FormFields

    /// Nil if the form is not one that can be shown again.
    init?(_ request: Request) {
        guard request.method == "POST", let form = request.form.first(AutosaveFields.form),
            Response.isLocal(form), let account = request.form.first(AutosaveFields.account)
        else { return nil }
        self.form = form
        self.account = account
        from = request.form.first(AutosaveFields.from) ?? ""
        fields = FormFields(
            request.form.fields.filter { !FormSecrets.contains($0.name) && !$0.name.hasPrefix("autosave") })
    }

    init?(text: String) {
        guard let value = try? JSONValue(parsing: Array(text.utf8)), let form = value["form"]?.stringValue,
            Response.isLocal(form), let account = value["account"]?.stringValue, let fields = value["fields"]
        else { return nil }
        self.form = form
        self.account = account
        from = value["from"]?.stringValue ?? ""
        self.fields = FormFields(pairs: fields)
    }

    var text: String {
        JSONValue.object([
            "form": .string(form), "account": .string(account), "from": .string(from), "fields": fields.pairs,
        ]).canonicalText
    }

    /// Keeps the text for its account, so that opening the form shows it.
    func keep(for account: ID<Account>, _ services: Services) async throws {
        guard account.description == self.account else {
            throw Failure.forbidden(
                tr(
                    "You entered this text in another account, so it was not saved for this one. "
                        + "Copy it, or sign in to the other account."))
        }
        let draft = AutosaveDraft(
            form: form, title: "", tab: "", from: from, sequence: Int64(Date().timeIntervalSince1970 * 1000),
            fields: fields.pairs)
        if case .full = try await services.saveAutosave(draft, of: account, isForced: true) {
            throw Failure.refused(
                code: "too_many_texts",
                message: tr(
                    "You have too many unsaved texts. Copy this one, and discard others under Your account > Unfinished."
                ))
        }
    }

    /// An error page from which all of the text can be copied: it is nowhere else.
    func page(for failure: Failure, _ request: AdminRequest) -> Response {
        let typed = RejectedInputs(all: request.request.with(form: fields))
        return FailurePage.response(for: failure, request.request, request.context, typed: typed)
    }
}
