// The fields that a contributor sent: with a submission form, or to resubmit.
import Domain
import HTTP

struct ContributorForm: Sendable {
    private let request: AdminRequest
    private let type: ContentType
    private let isShown: @Sendable (Field) -> Bool
    private var form: FormFields
    /// The row that a button moved, added or removed: nothing is sent, and the page is shown again.
    let touched: RowEdit.Touched?

    init(_ request: AdminRequest, _ type: ContentType, only isShown: @escaping @Sendable (Field) -> Bool) {
        self.request = request
        self.type = type
        self.isShown = isShown
        let action = RowEdit(request.form, type)?.applied(to: request.form)
        form = PlainForm.withoutRemoved(action?.form ?? request.form, type)
        touched = action?.touched ?? EntryPicker.requested(form).map { RowEdit.Touched(field: $0, position: 0) }
    }

    /// Adds the files to the media library, so that they survive errors in other fields. Throws `Failure.invalid` with the
    /// errors of images, after all are read.
    mutating func storeImages(by actor: Actor) async throws {
        let stored = try await ImageUploads.store(request.with(form), type, by: actor, only: isShown)
        form = FormFields(stored.fields)
        try stored.errors.throwIfAny()
    }

    var values: [String: JSONValue] {
        FieldForm.values(type, from: form).filter { type.field($0.key).map(isShown) ?? false }
    }

    /// The form again, with everything that was typed.
    func fields(_ errors: FieldErrors = FieldErrors(), notes: [String: String] = [:]) async throws -> FieldForm {
        var plain = try await PlainForm.load(type, typed: form, request)
        plain.notes = notes
        let fields = FieldForm(type, typed: form, errors: errors, touched: touched, plain: plain, only: isShown)
        return try await EntryPicker.load(fields, request, onlyLive: true)
    }
}
