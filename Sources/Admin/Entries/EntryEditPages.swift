// Creates and edits entries; a rejected form keeps all input.
import Domain
import HTTP
import Localization
import Operations
import Store

enum EntryEditPages {
    private struct Model: Encodable, Sendable {
        let heading: String
        let help: String
        let type: String
        /// The URL that the form posts to.
        let action: String
        /// The entry's page, or the list for a new entry.
        let back: String
        let base: Int
        let isNew: Bool
        /// What readers read, and beside it how it is published.
        let fields, publishing: FieldForm
        let note: String
        let requiresNote: Bool
        let when: PublishTimingForm
        let problem: ErrorSummary?
        let stale: StaleEdit?
        /// Nil for content types without catalog items.
        let catalogSearch: PanelModel?
        /// Set while an image is being chosen.
        let images: ImageSearchPanel?
        /// Nil for a new entry.
        let panel: EntryPanel?
        /// The fields of a long form in their order, as links; empty for others.
        let contents: [FieldLink]
    }

    private struct FieldLink: Encodable, Sendable {
        let id: String
        let label: String
    }

    /// A form with fewer fields is in view, or nearly.
    private static let longForm = 8

    // MARK: A new entry

    private struct Types: Encodable, Sendable {
        let types: [Option]
    }

    static func new(_ request: AdminRequest) async throws -> Response {
        guard let name = request.text("type") else {
            let types = Option.list(request.creatableTypes.map { ($0.name, $0.label) }, chosen: nil)
            return try request.page("admin/entries/choose-type", Types(types: types), title: tr("Create entry"))
        }
        let type = try request.context.rules.type(named: name)
        let choices = try await FieldChoices.load(for: type, request)
        let request = try await request.autosaving([form(for: type): title(of: nil, type)])
        if let restored = request.restored(form(for: type)) {
            let form = try await EntryForm.read(restored, type, choices)
            return try await show(form, restored, type, choices, entry: nil, base: 0)
        }
        let fields = FieldForm(type, values: [:], choices: choices, takesFiles: true)
        return try await page(request, type, entry: nil, base: 0, fields)
    }

    static func create(_ request: AdminRequest) async throws -> Response {
        let type = try request.context.rules.type(named: request.form.first("type") ?? "")
        let choices = try await FieldChoices.load(for: type, request)
        let form = try await EntryForm.read(request, type, choices)
        if form.touched != nil { return try await show(form, request, type, choices, entry: nil, base: 0) }
        return try await submit(form, request, type, choices, entry: nil, base: 0) {
            let when = PublishTimingForm(request)
            let publishTiming = try await form.check(request, type, when)
            let outcome = try await request.services.writeEntry.create(
                type: type.name, fields: form.values, note: form.note, publishTiming: publishTiming, by: request.actor)
            return request.redirect(to: AdminURL.entry(outcome.entry), Flash(outcome, publishTiming))
        }
    }

    // MARK: A new version

    static func edit(_ request: AdminRequest) async throws -> Response {
        let (entry, newest) = try await EntryPages.find(request)
        let type = try request.context.rules.type(named: entry.type)
        let choices = try await FieldChoices.load(for: type, request)
        let url = AdminURL.entryRevisions(entry.id)
        let request = try await request.autosaving([url: title(of: entry, type)])
        if let restored = request.restored(url) {
            let base = restored.form.first("base").flatMap(Int.init) ?? newest.number
            let original = try await request.database.revisions.find(entry.id, number: base) ?? newest
            let form = try await EntryForm.read(restored, type, choices, on: original.content)
            if original.number != newest.number {
                return try await stale(form, restored, type, choices, entry, original: original, newest: newest)
            }
            return try await redisplay(form, restored, type, choices, entry, newest: newest)
        }
        let fields = try await controls(newest.content.fields, request, type, choices)
        return try await page(request, type, entry: entry, base: newest.number, fields)
    }

    static func save(_ request: AdminRequest) async throws -> Response {
        let (entry, newest) = try await EntryPages.find(request)
        let type = try request.context.rules.type(named: entry.type)
        let choices = try await FieldChoices.load(for: type, request)
        let base = try request.integer("base")
        let original = try await request.database.revisions.find(entry.id, number: base).orMissing("version")
        let form = try await EntryForm.read(request, type, choices, on: original.content)
        if base != newest.number {
            return try await stale(form, request, type, choices, entry, original: original, newest: newest)
        }
        if form.touched != nil || request.form.contains("resolve") {
            return try await redisplay(form, request, type, choices, entry, newest: newest)
        }
        return try await submit(form, request, type, choices, entry: entry, base: base) {
            let when = PublishTimingForm(request)
            let publishTiming = try await form.check(request, type, when)
            do {
                let outcome = try await request.services.writeEntry.edit(
                    entry.id, fields: form.values, base: base, note: form.note, publishTiming: publishTiming,
                    by: request.actor)
                return request.redirect(
                    to: AdminURL.entry(entry.id), Flash(outcome, publishTiming))
            } catch Failure.conflict("stale", _) {
                // Somebody saved between the check and the write.
                let (entry, newest) = try await EntryPages.find(request)
                return try await stale(form, request, type, choices, entry, original: original, newest: newest)
            }
        }
    }

    /// The form based on the newest revision, with the edits of both sides; saving it again is deliberate.
    private static func stale(
        _ form: EntryForm, _ request: AdminRequest, _ type: ContentType, _ choices: FieldChoices, _ entry: EntryRow,
        original: RevisionRow, newest: RevisionRow
    ) async throws -> Response {
        let mine = Content(fields: form.values)
        let titles = try await EntryTitles.load([original.content, newest.content, mine], of: type, request.database)
        let comparing = titles.comparing(on: request)
        let stale = try await request.rendering([original.content, newest.content, mine]) {
            StaleEdit(began: original, theirs: newest, mine: mine, type, comparing)
        }
        let fields = try await controls(stale.merged, request, type, choices, touched: form.touched)
        return try await page(
            request, type, entry: entry, base: newest.number, fields, note: form.note, stale: stale,
            isStale: request.request.method == "POST")
    }

    private static func controls(
        _ values: [String: JSONValue], _ request: AdminRequest, _ type: ContentType, _ choices: FieldChoices,
        touched: RowEdit.Touched? = nil
    ) async throws -> FieldForm {
        try await request.rendering([Content(fields: values)]) {
            FieldForm(type, values: values, choices: choices, takesFiles: true, touched: touched)
        }
    }

    private static func controls(
        typed form: EntryForm, _ request: AdminRequest, _ type: ContentType, _ choices: FieldChoices,
        errors: FieldErrors = FieldErrors(), touched: RowEdit.Touched? = nil
    ) async throws -> FieldForm {
        try await request.rendering([Content(fields: form.values)]) {
            FieldForm(
                type, typed: form.typed, errors: errors, choices: choices, takesFiles: true, touched: touched)
        }
    }

    /// The form as it was typed.
    private static func show(
        _ form: EntryForm, _ request: AdminRequest, _ type: ContentType, _ choices: FieldChoices, entry: EntryRow?,
        base: Int
    ) async throws -> Response {
        let fields = try await controls(typed: form, request, type, choices, touched: form.touched)
        return try await page(request, type, entry: entry, base: base, fields, note: form.note)
    }

    private static func title(of entry: EntryRow?, _ type: ContentType) -> String {
        entry.map { EntryPages.shown($0.title) } ?? tr("New \(inText(type.label))", context: "types")
    }

    /// The URL that opens the form for a new entry.
    private static func form(for type: ContentType) -> String { AdminURL.entryNew(query: ["type": type.name]) }

    /// Redisplays the form after a button that saves nothing: one that adds, removes or moves a row, or one that copies
    /// one side's value of a field into the form (`mine.title`, `theirs.title`).
    private static func redisplay(
        _ form: EntryForm, _ request: AdminRequest, _ type: ContentType, _ choices: FieldChoices, _ entry: EntryRow,
        newest: RevisionRow
    ) async throws -> Response {
        guard request.form.contains("original") || request.form.contains("resolve") else {
            return try await show(form, request, type, choices, entry: entry, base: newest.number)
        }
        guard
            let original = try await request.database.revisions.find(entry.id, number: try request.integer("original"))
        else { throw Failure.missing("version") }
        let typed = try? JSONValue(parsing: Array((request.form.first("mine") ?? "").utf8)).objectValue
        let mine = Content(fields: typed ?? form.values)
        var values = form.values
        if let resolved = request.form.first("resolve") {
            let parts = resolved.split(separator: ".", maxSplits: 1)
            guard parts.count == 2, let field = type.field(String(parts[1])) else { throw Failure.missing("version") }
            values[field.name] = (parts[0] == "theirs" ? newest.content : mine).fields[field.name]
        }
        let titles = try await EntryTitles.load([original.content, newest.content, mine], of: type, request.database)
        let comparing = titles.comparing(on: request)
        let stale = try await request.rendering([original.content, newest.content, mine]) {
            StaleEdit(began: original, theirs: newest, mine: mine, type, comparing)
        }
        let fields = try await controls(values, request, type, choices, touched: form.touched)
        return try await page(request, type, entry: entry, base: newest.number, fields, note: form.note, stale: stale)
    }

    /// Runs an action of the form; its errors are shown in the form with all input.
    static func submit(
        _ form: EntryForm, _ request: AdminRequest, _ type: ContentType, _ choices: FieldChoices, entry: EntryRow?,
        base: Int, _ action: () async throws -> Response
    ) async throws -> Response {
        try await request.submit(
            orShow: { request, errors in
                let fields = try await controls(typed: form, request, type, choices, errors: errors)
                return try await page(request, type, entry: entry, base: base, fields, note: form.note, errors: errors)
            }, action)
    }

    static func page(
        _ request: AdminRequest, _ type: ContentType, entry: EntryRow?, base: Int, _ fields: FieldForm,
        note: String = "", errors: FieldErrors = FieldErrors(), stale: StaleEdit? = nil, isStale: Bool = false
    ) async throws -> Response {
        let heading = title(of: entry, type)
        let action = entry.map { AdminURL.entryRevisions($0.id) } ?? AdminURL.entries()
        let request = try await request.autosaving([entry == nil ? form(for: type) : action: heading])
        var fields = try await fields.forStaff(type, request, slug: entry?.slug)
        if type.needsCategory { fields.update { if $0.field == "categories" { $0.require() } } }
        let catalogSearch = try await request.context.catalog?.panel(
            request, type, action: action, chosen: CatalogItemValue.values(in: fields))
        let read = fields.only { !isPublishing($0, type) }
        let publishing = fields.only { isPublishing($0, type) }
        let panel: EntryPanel? = if let entry { try await EntryPanel.load(entry, type, request) } else { nil }
        let all = (read.controls + publishing.controls).map { FieldLink(id: $0.id, label: $0.label) }
        let model = Model(
            heading: heading, help: type.help, type: type.name, action: action,
            back: entry.map { AdminURL.entry($0.id) } ?? AdminURL.entries(), base: base, isNew: entry == nil,
            fields: read, publishing: publishing,
            note: note, requiresNote: type.requiresNote,
            when: PublishTimingForm(request, label: tr("Save and schedule"), errors: errors),
            problem: ErrorSummary(errors), stale: stale, catalogSearch: catalogSearch.map(PanelModel.init),
            images: try await ImageSearchPanel(request, type, action: action),
            panel: panel, contents: all.count < longForm ? [] : all)
        return try request.page(
            "admin/entries/edit", model, title: entry == nil ? heading : tr("Edit \(heading)", context: "types"),
            status: isStale ? 409 : errors.status, type: type.name)
    }

    /// Whether the field says where and how an entry is published: its slug, feeds, categories and language, and what a
    /// contributor may not fill in.
    private static func isPublishing(_ name: String, _ type: ContentType) -> Bool {
        guard let field = type.field(name) else { return false }
        return name == type.slugField || DecisionForm.isPlacement(field) || field.type == .locale
            || type.submittable && !field.submittable && !field.type.isReference
    }
}
