// The media library as JSON, for the dialogs of the pages' scripts: the same endpoints, asked for `application/json`.
import Domain
import FoundationEssentials
import HTTP
import Store

extension AdminRequest {
    var wantsJSON: Bool { request.headers["Accept"] == "application/json" }
}

/// One image, as an editor inserts it.
struct MediaJSON: Encodable, Sendable {
    struct Page: Encodable, Sendable {
        let images: [MediaJSON]
        /// For the parameter `cursor`.
        let next: String?
    }

    /// One image as the editor's dialog shows it: without its crop, beside which the areas are shown.
    struct Whole: Encodable, Sendable {
        let image: MediaJSON
        let url: String
        let width: Int
        let height: Int
        /// Crop and focal point in percent of the whole image, by the names of the form's inputs.
        let area: [String: String]
    }

    private struct Errors: Encodable, Sendable {
        struct Item: Encodable, Sendable {
            let code: String
            let message: String
        }

        let errors: [Item]
    }

    let id: String
    let name: String
    let alt: String
    let thumbnail: String
    /// The file for a text, with its size in pixels.
    let url: String
    let width: Int
    let height: Int

    init(_ media: MediaRow) {
        id = media.id.description
        name = MediaPages.shown(media.name)
        alt = media.alt
        thumbnail = AdminURL.mediaFiles + (media.file(width: 320)?.path ?? "")
        let file = media.file(width: 1280)
        url = AdminURL.mediaFiles + (file?.path ?? "")
        (width, height) = (file?.width ?? 0, file?.height ?? 0)
    }

    static func response(_ value: some Encodable, status: Int = 200) throws -> Response {
        .json([UInt8](try JSONEncoder().encode(value)), status: status)
    }

    static func response(_ errors: FieldErrors, status: Int? = nil) throws -> Response {
        try response(
            Errors(errors: errors.items.map { Errors.Item(code: $0.code, message: $0.message) }),
            status: status ?? errors.status)
    }
}
