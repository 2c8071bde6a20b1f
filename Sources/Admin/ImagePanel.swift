// Choosing an image of the media library for a field of a form: by words, a page at a time. Nothing is saved by looking.
import Domain
import HTTP
import Store

/// The model of `admin/entries/images.html`. Its inputs belong to the form of the entry, so nothing typed there is lost.
struct ImagePanel: Encodable, Sendable {
    struct Line: Encodable, Sendable {
        let thumbnail: String
        let alt: String
        let name: String
        /// What its button sends: the field and the image.
        let value: String
        let isChosen: Bool
    }

    /// The field that the image is for, and what people call it.
    let place: String
    let label: String
    let words: String
    let lines: [Line]
    /// What the buttons for the first and the next page send.
    let first: String?
    let next: String?
    /// Where the form is sent.
    let action: String

    /// The name of the buttons that open the panel and turn its pages: `image`, `screens.2.image CURSOR`.
    static let button = "images"
    /// The name of the buttons that choose: `image 0197c0de-…`.
    static let pick = "image"
    private static let perPage = 12

    /// The field and the page that a button asked for, or Enter in the panel's input: it presses the form's first button,
    /// which says so; where it was pressed shows by what was typed since.
    static func asked(_ form: FormFields) -> (place: String, cursor: String?)? {
        if let button = form.first(button) {
            let parts = button.split(separator: " ", maxSplits: 1).map(String.init)
            return parts.first.map { ($0, parts.count > 1 ? parts[1] : nil) }
        }
        guard form.first("action") == "enter", let place = form.first("images.place"),
            form.first("images.words") != form.first("images.was")
        else { return nil }
        return (place, nil)
    }

    /// Nil where no button asked for it.
    init?(_ request: AdminRequest, _ type: ContentType, action: String) async throws {
        guard let asked = Self.asked(request.form),
            let (field, _) = ImageUploads.images(type, request.form).first(where: { $0.1.key == asked.place })
        else { return nil }
        let typed = PlainText.singleLine(request.form.first("images.words") ?? "")
        let page = try await request.database.media.page(
            MediaFilter(words: typed.isEmpty ? nil : typed), cursor: asked.cursor, limit: Self.perPage)
        place = asked.place
        label = field.label
        words = typed
        let name = "field.\(asked.place)"
        let chosen = request.form.fields.filter { $0.name == name }.map(\.value)
        lines = page.items.map { media in
            Line(
                thumbnail: "/media/" + (media.file(width: 320)?.path ?? ""), alt: media.alt,
                name: MediaPages.shown(media.name), value: "\(asked.place) \(media.id)",
                isChosen: chosen.contains(media.id.description))
        }
        first = asked.cursor == nil ? nil : asked.place
        next = page.next.map { "\(asked.place) \($0)" }
        self.action = action
    }
}
