// A media file of an entry: audio, video, image or player.

package struct FeedMedia: Sendable, Equatable {
    package enum Kind: String, Sendable {
        /// RSS enclosure, Atom link rel=enclosure, JSON Feed attachment.
        case enclosure
        /// Media RSS content, or its player page.
        case content
        case thumbnail
        case image
    }

    /// An absolute http or https URL.
    package var url: String
    /// The media type of the document in lowercase; `image/*`, `audio/*` or `video/*` if only that is known.
    package var type: String?
    /// Bytes, more than 0.
    package var length: Int?
    package var kind: Kind
    /// Duration in seconds, more than 0.
    package var seconds: Int?
    package var title: String?

    package init(
        url: String, type: String? = nil, length: Int? = nil, kind: Kind, seconds: Int? = nil, title: String? = nil
    ) {
        self.url = url
        self.type = type
        self.length = length
        self.kind = kind
        self.seconds = seconds
        self.title = title
    }
}
