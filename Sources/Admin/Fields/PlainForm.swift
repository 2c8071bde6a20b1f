// What the forms of contributors show otherwise than those of the team: notes at fields, texts as CommonMark, and images
// without a library.
import Domain
import HTTP
import Markup
import Store

struct PlainForm: Sendable {
    /// What the reviewer says, by field.
    var notes: [String: String] = [:]
    /// The rich texts that CommonMark can't say, as HTML, by field. They stay as they are until somebody writes another.
    private(set) var kept: [String: String] = [:]
    /// The URLs of the images that the form names.
    private var thumbnails: [ID<Media>: String] = [:]

    /// For the values of a submission.
    static func load(_ type: ContentType, _ values: [String: JSONValue], _ request: AdminRequest) async throws
        -> PlainForm
    {
        try await load(Content(fields: values).media(of: type).map(\.id), request)
    }

    /// For what somebody typed: the last input of an image is its ID.
    static func load(_ type: ContentType, typed form: FormFields, _ request: AdminRequest) async throws -> PlainForm {
        let named = ImageUploads.images(type, form).compactMap { _, input in
            form.fields.last { $0.name == input.name }.flatMap { ID<Media>($0.value) }
        }
        return try await load(named, request)
    }

    private static func load(_ ids: [ID<Media>], _ request: AdminRequest) async throws -> PlainForm {
        var plain = PlainForm()
        if ids.isEmpty { return plain }
        for media in try await request.database.media.find(Array(ids.prefix(100))) {
            plain.thumbnails[media.id] = media.file(width: 320).map { AdminURL.mediaFiles + $0.path }
        }
        return plain
    }

    /// The values of a submission with each rich text as the contributor wrote it, or as CommonMark: nobody writes HTML.
    mutating func writable(_ submission: SubmissionRow, _ type: ContentType) -> [String: JSONValue] {
        var values = submission.fields
        for field in type.fields where field.type == .richText {
            guard let html = values[field.name]?.stringValue else { continue }
            let sent = submission.received["fields"]?[field.name]?[Field.markdownKey]?.stringValue
            if let source = sent ?? Markdown.source(of: html) {
                values[field.name] = .object([Field.markdownKey: .string(source)])
            } else {
                kept[field.name] = html
            }
        }
        return values
    }

    func note(for input: FieldInput) -> String? { notes[input.key] }

    func thumbnail(of id: String) -> String? { ID<Media>(id).flatMap { thumbnails[$0] } }

    /// The form without the images whose “Remove this image” is checked.
    static func withoutRemoved(_ form: FormFields, _ type: ContentType) -> FormFields {
        let removed = Set(
            ImageUploads.images(type, form).map(\.1).filter {
                form.contains(PhotoControl.removeName($0)) && form.upload($0.upload) == nil
            }.map(\.name))
        return removed.isEmpty
            ? form : FormFields(form.fields.filter { !removed.contains($0.name) }, uploads: form.uploads)
    }
}

/// An image field for a contributor: a file, what it shows, and the image that was chosen before.
struct PhotoControl: Encodable, Sendable {
    let upload: String
    let remove: String
    let thumbnail: String?
    let isSet: Bool
    let url: String
    let alt: String
    let width: String
    let height: String
    let media: String

    /// `texts`: URL, alternative text, width, height and ID of the image.
    init(_ texts: [String], at input: FieldInput, _ plain: PlainForm) {
        func text(_ index: Int) -> String { index < texts.count ? texts[index] : "" }
        upload = input.upload
        remove = Self.removeName(input)
        (url, alt, width, height, media) = (text(0), text(1), text(2), text(3), text(4))
        thumbnail = plain.thumbnail(of: media)
        isSet = !url.isEmpty || !media.isEmpty
    }

    static func removeName(_ input: FieldInput) -> String { "remove." + input.key }
}
