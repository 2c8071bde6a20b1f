// One item of an RSS or JSON feed, or one entry of an Atom feed.

package struct FeedEntry: Sendable {
    /// Never empty, unique in its document, and stable across reads of the same document: `ownID`, or `contentID` if several
    /// entries have the same `ownID`.
    package var id = ""
    /// The document's own ID (guid, id, rdf:about), otherwise the entry's URL, otherwise a hash of title, URL and date.
    package var ownID = ""
    /// `ownID` with a hash of title, URL and publication date; identical entries have a number, too.
    package var contentID = ""
    /// Whether an entry before it has the same ID, title, URL and publication date.
    package var isRepeated = false
    /// Plain text on one line, never empty, at most `FeedLimits.titleCharacters`.
    package var title = ""
    /// An absolute http or https URL.
    package var url: String?
    /// When it was published, RFC 3339 in UTC (`2024-03-10T17:15:00Z`); nil if missing or invalid.
    package var published: String?
    /// When it was last updated, in the same format.
    package var updated: String?
    /// The body as HTML from the document. Untrusted: sanitize it before use.
    package var html = ""
    /// The base of relative URLs in `html`.
    package var base: String?
    /// The description or summary as plain text, at most `FeedLimits.summaryCharacters`.
    package var summary: String?
    /// The names of the authors, joined by a comma.
    package var author: String?
    package var categories: [String] = []
    package var media: [FeedMedia] = []
    /// Why it can't be imported, as a sentence; the other entries can.
    package var problem: String?
}
