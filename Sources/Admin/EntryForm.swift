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

    /// `content` is what the form was filled with: entries that stay chosen keep their order, which boxes cannot show.
    init(_ request: AdminRequest, _ type: ContentType, _ choices: FieldChoices, on content: Content? = nil) {
        typed = FormFields(
            request.form.fields.map {
                FormFields.Field(name: $0.name, value: $0.value.replacing("\r\n", with: "\n"))
            })
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

    /// The form of a request, in which entries may be named by their slugs too, where there is no list to choose from. A
    /// slug that nobody has stays, and is refused at its field.
    static func read(
        _ request: AdminRequest, _ type: ContentType, _ choices: FieldChoices, on content: Content? = nil
    ) async throws -> EntryForm {
        var form = EntryForm(request, type, choices, on: content)
        for field in type.fields where field.type == .reference && choices.groups(for: field) == nil {
            guard let text = form.values[field.name]?.stringValue, ID<Entry>(text) == nil else { continue }
            for target in field.targets {
                guard let id = try await request.database.entries.find(type: target, slug: PlainText.singleLine(text))
                else { continue }
                form.values[field.name] = .string(id.description)
            }
        }
        return form
    }

    /// Everything that is wrong with fields, note and time at once; else when it goes live.
    func check(_ request: AdminRequest, _ type: ContentType, _ when: GoLiveForm) async throws -> GoLive? {
        var errors = FieldErrors()
        do {
            _ = try request.context.rules.check(values, as: type, for: .revision)
        } catch .invalid(let found) {
            errors.add(found)
        }
        if note.count > Self.maxNote {
            errors.add("/note", "too_long", "Note: at most \(Self.maxNote) characters.")
        }
        var goLive: GoLive?
        do {
            goLive = try await when.read(request)
        } catch Failure.invalid(let found) {
            errors.add(found)
        }
        try errors.throwIfAny()
        return goLive
    }
}
