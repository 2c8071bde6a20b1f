// The values of a submitted decision form, and the decision they describe.
import Domain
import HTTP
import Localization
import Store

struct DecisionForm: Sendable {
    /// As submitted.
    let form: FormFields
    let verdict: Verdict?
    /// The row that a button moved or added. If set, nothing is decided and the page is shown again.
    let touched: RowEdit.Touched?

    init(_ form: FormFields, _ type: ContentType) {
        let action = RowEdit(form, type)?.applied(to: form)
        self.form = action?.form ?? form
        let searched = EntryPicker.requested(form).map { RowEdit.Touched(field: $0, position: 0) }
        touched = action?.touched ?? searched
        // Rows and references belong to the approval form.
        verdict = touched == nil ? form.first("verdict").flatMap(Verdict.init) : .approve
    }

    /// Whether the field places an entry; these are shown next to the decision, not with the content.
    static func isPlacement(_ field: Field) -> Bool {
        field.name == "feeds" || field.name == "categories"
    }

    var publish: String { form.first("publish") ?? "" }
    var local: String { PlainText.singleLine(form.first("local") ?? "") }
    var zone: String { PlainText.singleLine(form.first("zone") ?? "") }
    var reason: String { form.first("reason") ?? "" }
    var message: String { PlainText.withLineFeeds(form.first("message") ?? "") }
    /// The notes at fields, by the names of the fields.
    var fieldNotes: [String: String] {
        var notes: [String: String] = [:]
        for field in form.fields where field.name.hasPrefix(Self.notePrefix) {
            let note = PlainText.withLineFeeds(field.value)
            if !PlainText.isBlank(note) { notes[String(field.name.dropFirst(Self.notePrefix.count))] = note }
        }
        return notes
    }
    static let notePrefix = "field_note."
    /// The search text for the original of a duplicate.
    var originalQuery: String { PlainText.singleLine(form.first("original_q") ?? "") }
    /// The entered ID or URL of the original; otherwise the selected search result.
    var originalText: String {
        let typed = PlainText.singleLine(form.first("original_url") ?? "")
        return typed.isEmpty ? form.first("original") ?? "" : typed
    }
    /// The search button was pressed: nothing is decided, and the page is shown again.
    var isSearch: Bool { form.contains("search") }
    /// The content could not be edited, so the form has only its placement.
    var isUnedited: Bool { form.first("unedited") == "1" }
    /// The reviewer confirmed deciding despite someone else's claim.
    var takesOver: Bool { form.first("take_over") == "1" }

    /// Returns the draft, or throws all errors at once: fields, time, reason and message.
    func draft(
        of submission: SubmissionRow, as type: ContentType, rules: ContentRules, _ database: Database
    ) async throws -> Decision.Draft {
        guard let verdict else {
            throw Failure.invalid(FieldErrors("/verdict", "choice", tr("Choose a decision.")))
        }
        var errors = FieldErrors()
        var draft = Decision.Draft(verdict: verdict, message: message.isEmpty ? nil : message)
        if verdict == .reject, !reason.isEmpty {
            draft.reason = RejectReason(rawValue: reason)
            if draft.reason == nil { errors.add("/reason", "choice", tr("Choose a reason from the list.")) }
        }
        if verdict == .requestChanges {
            draft.fieldNotes = fieldNotes
            if let found = Self.noteErrors(fieldNotes, type) { errors.add(found) }
        }
        if verdict == .duplicate { draft.original = try await readOriginal(database, &errors) }
        if verdict == .approve { try await readApproval(into: &draft, submission, type, rules, database, &errors) }
        do {
            try draft.check(on: submission.state)
        } catch Failure.invalid(let found) {
            errors.add(found)
        }
        try errors.throwIfAny()
        return draft
    }

    private static func noteErrors(_ notes: [String: String], _ type: ContentType) -> FieldErrors? {
        var errors = FieldErrors()
        _ = errors.collect { () throws(Failure) in try FieldNotes.check(notes, as: type) }
        return errors.isEmpty ? nil : errors
    }

    private func readOriginal(_ database: Database, _ errors: inout FieldErrors) async throws -> Original? {
        if originalText.isEmpty { return nil }
        // In a URL, the ID is part of the path.
        let path = originalText.prefix { $0 != "?" && $0 != "#" }
        let ids = path.split(separator: "/").compactMap { ID<Entry>(String($0)) }
        if let id = ids.first, let found = try await database.originals.find(id.uuid) { return found.original }
        errors.add("/duplicate_of", "reference", tr("No submission or entry has this ID or URL."))
        return nil
    }

    private func readApproval(
        into draft: inout Decision.Draft, _ submission: SubmissionRow, _ type: ContentType, _ rules: ContentRules,
        _ database: Database, _ errors: inout FieldErrors
    ) async throws {
        let values = values(of: submission, as: type)
        do {
            let content = try await rules.checked(
                values, as: type, for: .revision, keeping: submission.fields
            ).content
            draft.feeds = Self.ids(content.fields["feeds"])
            draft.categories = Self.ids(content.fields["categories"])
            // A reviewer who changes nothing does not become the author, so unchanged content is not an edit.
            if try await !Self.isSame(content, submission, type, rules) { draft.edits = values }
        } catch Failure.invalid(let found) {
            errors.add(found)
        }
        if let timing = try await errors.collectInvalid({ try await readPublishTiming(database) }) {
            draft.publishTiming = timing
        }
    }

    /// The decision of a bulk action's form: the same feeds and categories for all submissions.
    func draft(forMany type: ContentType?, _ database: Database) async throws -> Decision.Draft {
        guard let verdict else { throw Failure.invalid(FieldErrors("/verdict", "choice", tr("Choose a decision."))) }
        var draft = Decision.Draft(verdict: verdict, message: message.isEmpty ? nil : message)
        if verdict == .reject { draft.reason = RejectReason(rawValue: reason) }
        if verdict == .approve {
            if let type {
                let values = FieldForm.values(type, from: form)
                draft.feeds = Self.ids(values["feeds"])
                draft.categories = Self.ids(values["categories"])
            }
            draft.publishTiming = try await readPublishTiming(database)
        }
        try draft.check(on: .pending)
        return draft
    }

    /// The content to approve, with its placement.
    func values(of submission: SubmissionRow, as type: ContentType) -> [String: JSONValue] {
        let typed = FieldForm.values(type, from: form)
        guard isUnedited else { return typed }
        var values = submission.fields
        for field in type.fields where Self.isPlacement(field) { values[field.name] = typed[field.name] }
        return values
    }

    private static func ids(_ value: JSONValue?) -> [ID<Entry>] {
        (value?.arrayValue ?? []).compactMap { $0.stringValue.flatMap(ID<Entry>.init) }
    }

    private static func isSame(
        _ content: Content, _ submission: SubmissionRow, _ type: ContentType, _ rules: ContentRules
    ) async throws -> Bool {
        let sent: Content
        do {
            let fields = submission.fields
            sent = try await rules.checked(fields, as: type, for: .revision, keeping: fields).content
        } catch Failure.invalid {
            return false
        }
        return type.fields.allSatisfy { field in
            // Deselecting a submitted feed or category is an edit; selecting further ones is not.
            let isPlaced = isPlacement(field) && sent.fields[field.name] == nil
            return isPlaced || content.fields[field.name] == sent.fields[field.name]
        }
    }

    private func readPublishTiming(_ database: Database) async throws -> PublishTiming {
        let timing = try await PublishTimingForm.read(publish, local: local, zone: zone, database)
        guard let timing else {
            throw Failure.invalid(FieldErrors("/publish", "required", tr("Choose when to publish.")))
        }
        return timing
    }
}
