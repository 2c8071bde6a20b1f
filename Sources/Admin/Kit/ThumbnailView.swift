// The small image of a row in a list.
import Domain
import Store

/// A file of the media library, never of another server. The size reserves its space before it is loaded.
package struct ThumbnailView: Encodable, Sendable {
    let url: String
    let width: Int
    let height: Int

    package init(_ thumbnail: Thumbnail) {
        url = AdminURL.mediaFiles + thumbnail.path
        (width, height) = (thumbnail.width, thumbnail.height)
    }

    init?(_ media: MediaRow) {
        guard let file = media.file(width: 320) else { return nil }
        self.init(Thumbnail(path: file.path, width: file.width, height: file.height))
    }
}

extension AdminRequest {
    /// The small images of the entries in a list: one statement for a page.
    package func thumbnails(of entries: [ID<Entry>]) async throws -> [ID<Entry>: ThumbnailView] {
        try await database.thumbnails.of(entries: entries).mapValues { ThumbnailView($0) }
    }

    /// The same for submissions.
    func thumbnails(of submissions: [ID<Submission>]) async throws -> [ID<Submission>: ThumbnailView] {
        try await database.thumbnails.of(submissions: submissions).mapValues { ThumbnailView($0) }
    }
}
