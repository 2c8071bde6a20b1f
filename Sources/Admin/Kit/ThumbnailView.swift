// The small image of a row in a list.
import Domain
import Store

/// A file of the media library, never of another server. The size reserves its space before it is loaded.
struct ThumbnailView: Encodable, Sendable {
    let url: String
    let width: Int
    let height: Int

    init(_ thumbnail: Thumbnail) {
        url = AdminURL.mediaFiles + thumbnail.path
        (width, height) = (thumbnail.width, thumbnail.height)
    }

    init?(_ media: MediaRow) {
        guard let file = media.file(width: 320) else { return nil }
        self.init(Thumbnail(path: file.path, width: file.width, height: file.height))
    }
}
