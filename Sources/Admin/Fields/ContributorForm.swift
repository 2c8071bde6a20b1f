// The fields that a contributor sent: with a submission form, or to resubmit.
import Domain
import HTTP
import Store

struct ContributorForm: Sendable {
    /// The name of the buttons that show a text as readers see it; their value is the name of its input.
    private static let preview = "preview"

    private let request: AdminRequest
    private let type: ContentType
    private let isShown: @Sendable (Field) -> Bool
    /// What is resubmitted.
    private let submission: SubmissionRow?
    private var form: FormFields
    /// The row that a button moved, added or removed: nothing is sent, and the page is shown again.
    let touched: RowEdit.Touched?

    init(
        _ request: AdminRequest, _ type: ContentType, of submission: SubmissionRow? = nil,
        only isShown: @escaping @Sendable (Field) -> Bool
    ) {
        self.request = request
        self.type = type
        self.isShown = isShown
        self.submission = submission
        let action = RowEdit(request.form, type)?.applied(to: request.form)
        let form = Self.withFormats(PlainForm.withoutRemoved(action?.form ?? request.form, type), type)
        self.form = form
        touched =
            action?.touched
            ?? (EntryPicker.requested(form) ?? form.first(Self.preview) ?? form.first(TabDraft.field)).map {
                RowEdit.Touched(field: $0, position: 0)
            }
    }

    /// A text that would stay as it is, but was written, is CommonMark.
    private static func withFormats(_ form: FormFields, _ type: ContentType) -> FormFields {
        var fields = form.fields
        for field in type.fields where field.type == .richText {
            let name = FieldInput(of: field).name
            let indexes = fields.indices.filter { fields[$0].name == name }
            guard indexes.count == 2, fields[indexes[1]].value == RichTextControl.kept,
                !PlainText.isBlank(fields[indexes[0]].value)
            else { continue }
            fields[indexes[1]] = FormFields.Field(name: name, value: Field.markdownKey)
        }
        return FormFields(fields, uploads: form.uploads)
    }

    /// Adds the files to the media library, so that they survive errors in other fields. Throws `Failure.invalid` with the
    /// errors of images, after all are read.
    mutating func storeImages(by actor: Actor) async throws {
        let stored = try await ImageUploads.store(request.with(form), type, by: actor, only: isShown)
        form = FormFields(stored.fields)
        try stored.errors.throwIfAny()
    }

    var values: [String: JSONValue] {
        var values = FieldForm.values(type, from: form, only: isShown)
        let typed = FormValues(form)
        for field in type.fields where field.type == .richText && isShown(field) {
            if typed.texts(of: field, at: FieldInput(of: field)).last == RichTextControl.kept {
                values[field.name] = submission?.fields[field.name]
            }
        }
        return values
    }

    /// The form again, with everything that was typed.
    func fields(_ errors: FieldErrors = FieldErrors(), notes: [String: String] = [:]) async throws -> FieldForm {
        var plain = try await PlainForm.load(type, typed: form, request)
        plain.notes = notes
        let loaded = plain
        let fields = try await request.rendering([Content(fields: submission?.fields ?? [:])], typed: [form]) {
            var plain = loaded
            if let submission { _ = plain.writable(submission, type) }
            return controls(errors, plain)
        }
        return try await EntryPicker.load(fields, request, onlyLive: true)
    }

    private func controls(_ errors: FieldErrors, _ plain: PlainForm) -> FieldForm {
        var fields = FieldForm(type, typed: form, errors: errors, touched: touched, plain: plain, only: isShown)
        if let previewed = form.first(Self.preview) {
            fields.update { control in
                guard control.name == previewed else { return }
                control.previewed = PreviewedText(
                    control.richText, markdown: control.textArea?.value ?? "", request.images)
            }
        }
        return fields
    }
}
