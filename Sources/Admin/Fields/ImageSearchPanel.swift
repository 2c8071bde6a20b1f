// Searches the media library for an image of a form's field, page by page, without saving.
import Domain
import HTTP
import Store

/// The model of `admin/entries/images.html`. Its inputs belong to the form of the entry, so no input is lost.
struct ImageSearchPanel: Encodable, Sendable {
    struct Line: Encodable, Sendable {
        let thumbnail: ThumbnailView?
        let alt: String
        let name: String
        /// The value of its button: the field and the image.
        let value: String
        let isChosen: Bool
    }

    /// The field of the image, and its label.
    let field: String
    let label: String
    let query: String
    let lines: [Line]
    /// The values of the buttons for the first and the next page.
    let first: String?
    let next: String?
    /// The URL that the form posts to.
    let action: String

    /// The name of the buttons that open the panel and change its page: `image`, `screens.2.image CURSOR`.
    static let button = "images"
    /// The name of the buttons that choose an image: `image 0197c0de-…`.
    static let pick = "image"
    /// Instead of an image in the value of these buttons: removes the image from the field.
    static let none = "-"
    private static let perPage = 12

    /// The field and the page requested by a button, or by Enter in the panel's input: Enter presses the form's first
    /// button, and the search text has changed.
    static func requested(_ form: FormFields) -> (field: String, cursor: String?)? {
        if let button = form.first(button) {
            let parts = button.split(separator: " ", maxSplits: 1).map(String.init)
            return parts.first.map { ($0, parts.count > 1 ? parts[1] : nil) }
        }
        guard form.first("action") == "enter", let field = form.first("images.field"),
            form.first("images.q") != form.first("images.previous")
        else { return nil }
        return (field, nil)
    }

    /// Nil unless requested.
    init?(_ request: AdminRequest, _ type: ContentType, action: String) async throws {
        guard let requested = Self.requested(request.form),
            let (target, _) = ImageUploads.images(type, request.form).first(where: { $0.1.key == requested.field })
        else { return nil }
        let typed = PlainText.singleLine(request.form.first("images.q") ?? "")
        let page = try await request.database.media.page(
            MediaFilter(query: typed.isEmpty ? nil : typed), cursor: requested.cursor, limit: Self.perPage)
        field = requested.field
        label = target.label
        query = typed
        let name = "field.\(requested.field)"
        let chosen = request.form.fields.filter { $0.name == name }.map(\.value)
        lines = page.items.map { media in
            Line(
                thumbnail: ThumbnailView(media), alt: media.alt,
                name: MediaPages.shown(media.name), value: "\(requested.field) \(media.id)",
                isChosen: chosen.contains(media.id.description))
        }
        first = requested.cursor == nil ? nil : requested.field
        next = page.next.map { "\(requested.field) \($0)" }
        self.action = action
    }
}
