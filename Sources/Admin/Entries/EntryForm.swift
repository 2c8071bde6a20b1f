// The submitted form of an entry: its fields and a note.
import Domain
import HTTP
import Localization
import Store

struct EntryForm: Sendable {
    /// In characters.
    private static let maxNote = 500

    /// The input, with LF line endings.
    let typed: FormFields
    /// The parsed values, not checked yet.
    let values: [String: JSONValue]
    let note: String
    /// Set when a button edited a row or started a search: nothing is saved, and the form is redisplayed.
    let touched: RowEdit.Touched?
    /// The errors of uploaded images.
    private let uploadErrors: FieldErrors

    /// Adds uploaded images to the media library first, so that they survive errors in other fields.
    static func read(
        _ request: AdminRequest, _ type: ContentType, _ choices: FieldChoices, on content: Content? = nil
    ) async throws -> EntryForm {
        // Not a part of the form: they are added even if it is shown again.
        let uploads = try await FormPost.$current.withValue(nil) { try await ImageUploads.store(request, type) }
        return EntryForm(request, uploads, type, choices, on: content)
    }

    /// `content` is the content that the form was opened with: entries that stay selected keep their order, which
    /// checkboxes can't show, and so does a manual order.
    private init(
        _ request: AdminRequest, _ uploads: ImageUploads, _ type: ContentType, _ choices: FieldChoices,
        on content: Content?
    ) {
        uploadErrors = uploads.errors
        let sent = FormFields(
            uploads.fields.map {
                FormFields.Field(name: $0.name, value: PlainText.withLineFeeds($0.value))
            })
        let action = RowEdit(sent, type)?.applied(to: sent) ?? CatalogItemEdit(sent, type)?.applied(to: sent)
        typed = action?.form ?? sent
        let isSearching =
            request.context.catalog?.isSearching(sent) == true || ImageSearchPanel.requested(sent) != nil
            || sent.contains(ImageSearchPanel.pick) || EntryPicker.requested(sent) != nil
        touched = action?.touched ?? (isSearching ? RowEdit.Touched(field: "", position: 0) : nil)
        var values = FieldForm.values(type, from: typed)
        for field in type.fields where field.type == .references && choices.groups(for: field) != nil {
            guard let chosen = values[field.name]?.arrayValue else { continue }
            let old = content?.fields[field.name]?.arrayValue ?? []
            let kept = old.filter { chosen.contains($0) }
            values[field.name] = .array(kept + chosen.filter { !kept.contains($0) })
        }
        for field in type.fields where type.isManualOrder(field) {
            values[field.name] = content?.fields[field.name]
        }
        self.values = values
        note = PlainText.singleLine(request.form.first("note") ?? "")
    }

    /// Throws all errors of fields, note and time at once; otherwise returns the publish timing.
    func check(_ request: AdminRequest, _ type: ContentType, _ when: PublishTimingForm) async throws -> PublishTiming {
        var errors = uploadErrors
        _ = try await errors.collectInvalid {
            try await request.context.rules.checked(values, as: type, for: .revision)
        }
        if type.requiresNote, PlainText.isBlank(note) {
            errors.add("/note", "required", tr("Note: Describe your changes."))
        }
        if PlainText.isLonger(note, than: Self.maxNote) {
            errors.add("/note", "too_long", tr("Note: Enter at most \(Self.maxNote) characters."))
        }
        let publishTiming: PublishTiming? = try await errors.collectInvalid { try await when.read(request) ?? .draft }
        try errors.throwIfAny()
        return publishTiming ?? .draft
    }
}
