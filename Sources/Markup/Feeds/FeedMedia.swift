// A sound, film, image or player that an entry brings along.

package struct FeedMedia: Sendable, Equatable {
    package enum Kind: String, Sendable {
        /// RSS enclosure, Atom link rel=enclosure, JSON Feed attachment.
        case enclosure
        /// Media RSS content, or its player page.
        case content
        case thumbnail
        case image
    }

    /// Absolute http or https address.
    package var url: String
    /// Media type as the document says it, in lower case; `image/*`, `audio/*` or `video/*` where
    /// it says only that much.
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
