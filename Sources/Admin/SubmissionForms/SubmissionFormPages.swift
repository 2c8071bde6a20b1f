// The submission forms: the list with the form for a new one, and one with its settings and its URL.
import Domain
import HTTP
import Localization
import Operations
import Store

enum SubmissionFormPages {
    private struct Line: Encodable, Sendable {
        let name: String
        let title: String
        let type: String
        let isOn: Bool
        let received: Instant?
    }

    private struct List: Encodable, Sendable {
        let lines: [Line]
        let types: [Option]
        let name: String
        let title: String
        let nameErrors: [String]
        let titleErrors: [String]
        let typeErrors: [String]
        let problem: ErrorSummary?
    }

    static func list(_ request: AdminRequest, errors: FieldErrors = FieldErrors()) async throws -> Response {
        let types = request.context.rules.types
        let model = List(
            lines: try await request.database.submissionForms.list().map {
                let form = $0.form.definition
                return Line(
                    name: form.name, title: form.title, type: types[form.type]?.label ?? form.type, isOn: form.isOn,
                    received: $0.receivedAt.map { Instant($0) })
            },
            types: Option.list(
                types.all.filter(\.submittable).map { ($0.name, $0.label) }, chosen: request.form.first("type")),
            name: request.form.first("name") ?? "", title: request.form.first("title") ?? "",
            nameErrors: errors.messages(at: "/name"), titleErrors: errors.messages(at: "/title"),
            typeErrors: errors.messages(at: "/type"), problem: ErrorSummary(errors))
        return try request.page(
            "admin/submission-forms/list", model, title: tr("Submission forms"), status: errors.status)
    }

    static func create(_ request: AdminRequest) async throws -> Response {
        try await request.submit(orShow: list) {
            let form = try await request.services.manageSubmissionForm.create(
                FormDefinition(
                    name: PlainText.singleLine(request.form.first("name") ?? ""),
                    type: request.form.first("type") ?? "", title: request.form.first("title") ?? ""),
                by: request.actor)
            return request.redirect(
                to: AdminURL.submissionForm(form.name), Flash(tr("Submission form created. Turn it on to use it.")))
        }
    }

    // MARK: One form

    private static let inputs = ["title", "introduction", "locale", "fields", "category", "feed", "origins"]

    private struct Show: Encodable, Sendable {
        let name: String
        let heading: String
        let type: String
        let publicURL: String
        let embed: String
        let title: String
        let introduction: String
        let locale: String
        let fields: [Option]
        let categories: CategoryMenu
        let feeds: [Option]
        let origins: String
        let requiresName: Bool
        let requiresEmail: Bool
        let isOn: Bool
        let errors: [String: [String]]
        let history: [HistoryEvent]
        let problem: ErrorSummary?
        let autosave: Autosaved?
    }

    static func show(_ request: AdminRequest, errors: FieldErrors = FieldErrors()) async throws -> Response {
        let stored = try await find(request).definition
        let opening = AdminURL.submissionForm(stored.name)
        let saving = try await request.autosaving([
            opening: tr("Submission form: \(stored.title)", context: "autosave")
        ])
        let restored = saving.restored(opening)
        let request = restored ?? saving
        let form = errors.isEmpty && restored == nil ? stored : read(request.form, over: stored)
        let type = try request.context.rules.type(named: stored.type)
        let url = request.origin + AdminURL.submit(stored.name)
        let takesFeeds = type.field("feeds")?.submittable == true
        let feeds = takesFeeds ? try await request.database.entries.choices(.feed) : []
        let model = Show(
            name: stored.name, heading: stored.title, type: type.label, publicURL: url,
            embed: #"<iframe src="\#(url)" title="\#(attribute(stored.title))" width="100%" height="900"></iframe>"#,
            title: form.title, introduction: form.introduction, locale: form.locale,
            fields: type.contributorFields.map {
                Option(
                    value: $0.name, label: $0.label, isChosen: $0.required || form.fields?.contains($0.name) ?? true,
                    isFixed: $0.required)
            },
            categories: try await CategoryMenu.load(request, chosen: form.category ?? ""),
            feeds: feeds.isEmpty
                ? []
                : Option.list(
                    [("", tr("None", context: "submission form"))] + feeds.map { ($0.id.description, $0.title) },
                    chosen: form.feed?.description),
            origins: form.origins.joined(separator: "\n"), requiresName: !form.allowsAnonymous,
            requiresEmail: form.requiresEmail, isOn: form.isOn,
            errors: Dictionary(uniqueKeysWithValues: inputs.map { ($0, errors.messages(at: "/\($0)")) }),
            history: try await request.database.auditTrail.about("submission_form", stored.name).map {
                HistoryEvent($0, title: stored.title)
            },
            problem: ErrorSummary(errors), autosave: request.autosave(opening))
        return try request.page("admin/submission-forms/show", model, title: stored.title, status: errors.status)
    }

    private static func attribute(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("\"", with: "&quot;").replacing("<", with: "&lt;")
    }

    /// The definition with what was typed.
    private static func read(_ form: FormFields, over stored: FormDefinition) -> FormDefinition {
        var definition = stored
        definition.title = form.first("title") ?? ""
        definition.introduction = form.first("introduction") ?? ""
        definition.locale = form.first("locale") ?? ""
        definition.fields = form.all("fields")
        definition.category = form.first("category")
        definition.feed = form.first("feed").flatMap { ID<Entry>($0) }
        definition.origins = (form.first("origins") ?? "").split { $0.isWhitespace || $0 == "," }.map(String.init)
        definition.allowsAnonymous = form.first("requires_name") == nil
        definition.requiresEmail = form.first("requires_email") != nil
        definition.isOn = form.first("on") != nil
        return definition
    }

    static func update(_ request: AdminRequest) async throws -> Response {
        let stored = try await find(request).definition
        return try await request.submit(orShow: show) {
            var typed = read(request.form, over: stored)
            let type = try request.context.rules.type(named: stored.type)
            // Their boxes can't be changed, so browsers don't send them.
            typed.fields?.append(contentsOf: type.contributorFields.filter(\.required).map(\.name))
            let form = try await request.services.manageSubmissionForm.update(stored.name, typed, by: request.actor)
            return request.redirect(to: AdminURL.submissionForm(form.name), Flash(tr("Submission form saved.")))
        }
    }

    // MARK: Deletion

    private struct Deletion: Encodable, Sendable {
        let name: String
        let title: String
    }

    static func confirm(_ request: AdminRequest) async throws -> Response {
        let form = try await find(request).definition
        return try request.page(
            "admin/submission-forms/delete", Deletion(name: form.name, title: form.title),
            title: tr("Delete submission form"))
    }

    static func delete(_ request: AdminRequest) async throws -> Response {
        let form = try await find(request).definition
        try await request.services.manageSubmissionForm.delete(form.name, by: request.actor)
        return request.redirect(
            to: AdminURL.submissionForms(), Flash(tr("Submission form \(form.title) deleted.")))
    }

    private static func find(_ request: AdminRequest) async throws -> FormRow {
        return try await request.database.submissionForms.find(request.parameters["name"] ?? "")
            .orMissing(tr("submission form"))
    }
}
