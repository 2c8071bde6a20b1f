// The form in which entries are made and changed; what was typed is kept, whatever goes wrong.
import Domain
import Editorial
import HTTP
import Store

enum EntryEditPages {
    static let routes = [
        AdminEndpoint(method: "GET", pattern: "/entries/{id}/revisions", access: .may(.suggest), handler: edit),
        AdminEndpoint(method: "POST", pattern: "/entries/{id}/revisions", access: .may(.suggest), handler: save),
    ]

    private struct Model: Encodable, Sendable {
        let heading: String
        let help: String
        let type: String
        /// Where the form is sent.
        let action: String
        /// The entry's own page, or the list for a new one.
        let back: String
        let base: Int
        let isNew: Bool
        let fields: FieldForm
        let note: String
        let when: PublishTimingForm
        let problem: ErrorSummary?
        let stale: StaleEdit?
        /// Nil for content types that name nothing of a catalog.
        let lookUp: CatalogPanel?
        /// While an image is being chosen.
        let images: ImagePanel?
    }

    private static func edit(_ request: AdminRequest) async throws -> Response {
        let (entry, newest) = try await EntryPages.find(request)
        guard try await request.worksOn(entry) else {
            throw Failure.forbidden("This entry is outside of what you work on.")
        }
        let type = try request.context.rules.type(named: entry.type)
        let choices = try await FieldChoices.load(for: type, rules: request.context.rules, request.database)
        let fields = FieldForm(type, values: newest.content.fields, choices: choices, takesFiles: true)
        return try await page(request, type, entry: entry, base: newest.number, fields)
    }

    private static func save(_ request: AdminRequest) async throws -> Response {
        let (entry, newest) = try await EntryPages.find(request)
        let type = try request.context.rules.type(named: entry.type)
        let choices = try await FieldChoices.load(for: type, rules: request.context.rules, request.database)
        let base = try request.integer("base")
        guard let began = try await request.database.revisions.find(entry.id, number: base) else {
            throw Failure.missing("version")
        }
        let form = try await EntryForm.read(request, type, choices, on: began.content)
        if base != newest.number {
            return try await stale(form, request, type, choices, entry, began: began, newest: newest)
        }
        if form.touched != nil || request.form.contains("take") {
            return try await again(form, request, type, choices, entry, newest: newest)
        }
        do {
            return try await keeping(form, request, type, choices, entry: entry, base: base) {
                let when = PublishTimingForm(request)
                let publishTiming = try await form.check(request, type, when)
                let outcome = try await WriteEntry(database: request.database, rules: request.context.rules).edit(
                    entry.id, fields: form.values, base: base, note: form.note, publishTiming: publishTiming, by: request.actor)
                return request.redirect(to: "/entries/\(entry.id)", Flash(outcome, wanted: publishTiming, time: when.words))
            }
        } catch Failure.conflict("stale", _) {
            // Somebody saved between our look and our write.
            let (entry, newest) = try await EntryPages.find(request)
            return try await stale(form, request, type, choices, entry, began: began, newest: newest)
        }
    }

    /// The form on top of the newest revision, with what both sides wrote; saving it again is a conscious action.
    private static func stale(
        _ form: EntryForm, _ request: AdminRequest, _ type: ContentType, _ choices: FieldChoices, _ entry: EntryRow,
        began: RevisionRow, newest: RevisionRow
    ) async throws -> Response {
        let mine = Content(fields: form.values)
        let names = try await EntryNames.load([began.content, newest.content, mine], of: type, request.database)
        let stale = StaleEdit(began: began, theirs: newest, mine: mine, type, names)
        let fields = FieldForm(type, values: stale.merged, choices: choices, takesFiles: true, touched: form.touched)
        return try await page(
            request, type, entry: entry, base: newest.number, fields, note: form.note, stale: stale, status: 409)
    }

    /// Shows the form again after a button that saves nothing: one that adds, removes or moves a row, or one that puts
    /// one side's value of one field into the form (`mine.title`, `theirs.title`).
    private static func again(
        _ form: EntryForm, _ request: AdminRequest, _ type: ContentType, _ choices: FieldChoices, _ entry: EntryRow,
        newest: RevisionRow
    ) async throws -> Response {
        guard request.form.contains("began") || request.form.contains("take") else {
            let fields = FieldForm(
                type, typed: form.typed, errors: FieldErrors(), choices: choices, takesFiles: true,
                touched: form.touched)
            return try await page(request, type, entry: entry, base: newest.number, fields, note: form.note)
        }
        guard let began = try await request.database.revisions.find(entry.id, number: try request.integer("began"))
        else { throw Failure.missing("version") }
        let typed = try? JSONValue(parsing: Array((request.form.first("mine") ?? "").utf8)).objectValue
        let mine = Content(fields: typed ?? form.values)
        var values = form.values
        if let taken = request.form.first("take") {
            let parts = taken.split(separator: ".", maxSplits: 1)
            guard parts.count == 2, let field = type.field(String(parts[1])) else { throw Failure.missing("version") }
            values[field.name] = (parts[0] == "theirs" ? newest.content : mine).fields[field.name]
        }
        let names = try await EntryNames.load([began.content, newest.content, mine], of: type, request.database)
        let stale = StaleEdit(began: began, theirs: newest, mine: mine, type, names)
        let fields = FieldForm(type, values: values, choices: choices, takesFiles: true, touched: form.touched)
        return try await page(request, type, entry: entry, base: newest.number, fields, note: form.note, stale: stale)
    }

    /// Runs an action of the form. What it refuses is shown in the form, as it was typed.
    static func keeping(
        _ form: EntryForm, _ request: AdminRequest, _ type: ContentType, _ choices: FieldChoices, entry: EntryRow?,
        base: Int, _ action: () async throws -> Response
    ) async throws -> Response {
        let errors: FieldErrors
        do {
            return try await action()
        } catch Failure.invalid(let found) {
            errors = found
        } catch Failure.refused(let code, let message) {
            errors = FieldErrors("", code, message)
        }
        let fields = FieldForm(type, typed: form.typed, errors: errors, choices: choices, takesFiles: true)
        return try await page(
            request, type, entry: entry, base: base, fields, note: form.note, errors: errors, status: 422)
    }

    static func page(
        _ request: AdminRequest, _ type: ContentType, entry: EntryRow?, base: Int, _ fields: FieldForm,
        note: String = "", errors: FieldErrors = FieldErrors(), stale: StaleEdit? = nil, status: Int = 200
    ) async throws -> Response {
        let name = entry.map { EntryPages.shown($0.title) } ?? "New \(type.label.lowercased())"
        let action = entry.map { "/entries/\($0.id)/revisions" } ?? "/entries"
        let fields = try await CatalogChoice.name(fields, request.context.catalogs.rules.kinds, request.database)
        let lookUp = try await CatalogPanel(
            request, type, action: action, chosen: CatalogChoice.values(in: fields))
        let model = Model(
            heading: name, help: type.help, type: type.name, action: action,
            back: entry.map { "/entries/\($0.id)" } ?? "/entries", base: base, isNew: entry == nil, fields: fields,
            note: note, when: PublishTimingForm(request, label: "Save and publish at that time"),
            problem: ErrorSummary(errors), stale: stale, lookUp: lookUp,
            images: try await ImagePanel(request, type, action: action))
        let title = (errors.isEmpty && stale == nil ? "" : "Error: ") + (entry == nil ? name : "Edit \(name)")
        return try request.page("admin/entries/edit", model, title: title, status: status)
    }
}
