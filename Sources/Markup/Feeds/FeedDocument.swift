// A parsed feed document, independent of its format.

package struct FeedDocument: Sendable {
    package enum Format: String, Sendable {
        /// RSS 0.91 to 2.0.
        case rss
        /// RSS 0.90 and 1.0.
        case rdf
        /// Atom 0.3 and 1.0.
        case atom
        /// JSON Feed 1 and 1.1.
        case json
    }

    /// Plain text with white space collapsed; empty if missing.
    package var title: String
    /// The page of the feed: an absolute http or https URL.
    package var link: String?
    package var format: Format
    /// In document order.
    package var entries: [FeedEntry]
    /// Whether the document was repaired, because it was malformed or not in its declared encoding.
    package var recovered: Bool
}
