// One item of an RSS or JSON feed, or one entry of an Atom feed.

package struct FeedEntry: Sendable {
    /// Never empty, unique in its document, and the same each time the same document is read: the document's own id
    /// (guid, id, rdf:about), else the entry's address, else a hash of title, address and date.
    package var id = ""
    /// Plain text on one line, never empty, at most `FeedLimits.titleCharacters`.
    package var title = ""
    /// Absolute http or https address.
    package var url: String?
    /// When it was published, RFC 3339 in UTC (`2024-03-10T17:15:00Z`); nil when missing or not a date.
    package var published: String?
    /// When it was last changed, in the same form.
    package var updated: String?
    /// The body as HTML, as the document says it. It is not safe: clean it before it is shown.
    package var html = ""
    /// The address that relative addresses in `html` are relative to.
    package var base: String?
    /// The description or summary as plain text, at most `FeedLimits.summaryCharacters`.
    package var summary: String?
    /// The names of the authors, joined by a comma.
    package var author: String?
    package var categories: [String] = []
    package var media: [FeedMedia] = []
}
