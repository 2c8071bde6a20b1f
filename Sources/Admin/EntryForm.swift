// What was typed into the form of an entry: its fields, the revision it began from, and a note.
import Domain
import HTTP
import Store

struct EntryForm: Sendable {
    /// In characters.
    private static let maxNote = 500

    /// As typed, with the line ends that we keep.
    let typed: FormFields
    /// The values that it means, not checked yet.
    private(set) var values: [String: JSONValue]
    let note: String
    /// The row that a button moved or added, or none that a button looked for: then nothing is saved, and the form is
    /// shown again.
    let touched: RowEdit.Touched?
    /// What is wrong with the images that came along.
    private let uploadErrors: FieldErrors

    /// Takes the images that came with the form into the media library first, so that they are not lost whatever is
    /// wrong with the rest: the form then names them.
    static func read(
        _ request: AdminRequest, _ type: ContentType, _ choices: FieldChoices, on content: Content? = nil
    ) async throws -> EntryForm {
        let uploads = try await ImageUploads.keep(request, type)
        var form = EntryForm(request, uploads, type, choices, on: content)
        try await form.findSlugs(type, choices, request.database)
        return form
    }

    /// Where there is no list to choose from, an entry may be named by its slug too. One that nobody has stays as it is,
    /// and is refused at its field.
    private mutating func findSlugs(_ type: ContentType, _ choices: FieldChoices, _ database: Database) async throws {
        for field in type.fields where field.type == .reference && choices.groups(for: field) == nil {
            guard let text = values[field.name]?.stringValue, ID<Entry>(text) == nil else { continue }
            for target in field.targets {
                guard let id = try await database.entries.find(type: target, slug: PlainText.singleLine(text)) else {
                    continue
                }
                values[field.name] = .string(id.description)
            }
        }
    }

    /// `content` is what the form was filled with: entries that stay chosen keep their order, which boxes cannot show.
    private init(
        _ request: AdminRequest, _ uploads: ImageUploads, _ type: ContentType, _ choices: FieldChoices,
        on content: Content?
    ) {
        uploadErrors = uploads.errors
        let sent = FormFields(
            uploads.fields.map {
                FormFields.Field(name: $0.name, value: $0.value.replacing("\r\n", with: "\n"))
            })
        let action = RowEdit(sent, type)?.applied(to: sent) ?? CatalogPick(sent, type)?.applied(to: sent)
        typed = action?.form ?? sent
        let isLooking =
            CatalogPanel.asked(sent) != nil || ImagePanel.asked(sent) != nil || sent.contains(ImagePanel.pick)
        touched = action?.touched ?? (isLooking ? RowEdit.Touched(field: "", position: 0) : nil)
        var values = FieldForm.values(type, from: typed)
        for field in type.fields where field.type == .references && choices.groups(for: field) != nil {
            guard let chosen = values[field.name]?.arrayValue else { continue }
            let old = content?.fields[field.name]?.arrayValue ?? []
            let kept = old.filter { chosen.contains($0) }
            values[field.name] = .array(kept + chosen.filter { !kept.contains($0) })
        }
        self.values = values
        note = PlainText.singleLine(request.form.first("note") ?? "")
    }

    /// Everything that is wrong with fields, note and time at once; else when it goes live.
    func check(_ request: AdminRequest, _ type: ContentType, _ when: PublishTimingForm) async throws -> PublishTiming? {
        var errors = uploadErrors
        do {
            _ = try request.context.rules.check(values, as: type, for: .revision)
        } catch .invalid(let found) {
            errors.add(found)
        }
        if note.count > Self.maxNote {
            errors.add("/note", "too_long", "Note: at most \(Self.maxNote) characters.")
        }
        var publishTiming: PublishTiming?
        do {
            publishTiming = try await when.read(request)
        } catch Failure.invalid(let found) {
            errors.add(found)
        }
        try errors.throwIfAny()
        return publishTiming
    }
}
