// Size limits of feed documents.

package enum FeedLimits {
    package static let documentBytes = 8 * 1024 * 1024
    package static let entries = 10_000
    /// Must be less than 256, where libxml2 silently drops the rest of a document.
    package static let depth = 200
    /// libxml2 compares each attribute of an element with all others.
    package static let attributes = 128
    /// Namespace declarations in scope at once; libxml2 searches them linearly for each prefix.
    package static let namespaces = 256
    package static let elements = 250_000
    package static let jsonDepth = 64
    /// Bytes of UTF-8; an entry with a longer body has a problem, since a truncated body would be wrong.
    package static let htmlBytes = 1024 * 1024
    /// Longer texts are truncated.
    package static let titleCharacters = 500
    package static let summaryCharacters = 5_000
    package static let nameCharacters = 200
    /// More are ignored.
    package static let categories = 100
    package static let media = 100
    /// Bytes; longer URLs and IDs are ignored.
    package static let addressBytes = 4_096
    package static let idBytes = 2_048
}
