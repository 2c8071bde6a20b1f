// What a feed document says, whatever format it is written in.

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

    /// Plain text, white space collapsed; empty when the document has none.
    package var title: String
    /// The page the feed belongs to: an absolute http or https address.
    package var link: String?
    package var format: Format
    /// In the order of the document.
    package var entries: [FeedEntry]
    /// True when the document was not well-formed, or not in the encoding it names, and was repaired first.
    package var recovered: Bool
}
