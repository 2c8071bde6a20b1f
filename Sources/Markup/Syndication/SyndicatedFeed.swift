// A feed for feed readers, independent of its format: RSS, Atom or JSON Feed.

package struct SyndicatedFeed: Sendable {
    package struct Moment: Sendable {
        /// RFC 3339, for Atom and JSON Feed.
        package let rfc3339: String
        /// For HTTP and RSS: Fri, 20 Nov 2026 18:00:00 GMT.
        package let rfc822: String

        package init(rfc3339: String, rfc822: String) {
            self.rfc3339 = rfc3339
            self.rfc822 = rfc822
        }
    }

    package struct Image: Sendable {
        package let url: String
        package let description: String

        package init(url: String, description: String) {
            self.url = url
            self.description = description
        }
    }

    package struct Entry: Sendable {
        /// A permanent UUID.
        package let id: String
        package let title: String
        /// Plain text.
        package let summary: String
        /// The full text as sanitized HTML; nil if only the summary is public.
        package var html: String?
        package var link: String?
        package var author: String?
        package var image: Image?
        package var categories: [String] = []
        package let published: Moment
        package let updated: Moment

        package init(id: String, title: String, summary: String, published: Moment, updated: Moment) {
            self.id = id
            self.title = title
            self.summary = summary
            self.published = published
            self.updated = updated
        }
    }

    /// A permanent UUID.
    package let id: String
    package let title: String
    /// Plain text.
    package let about: String
    /// The URL of the page for people.
    package let home: String
    /// The URL of this document.
    package let url: String
    /// The URL of the next page.
    package var next: String?
    /// The time of the last update.
    package let updated: Moment
    package var entries: [Entry] = []

    package init(id: String, title: String, about: String, home: String, url: String, updated: Moment) {
        self.id = id
        self.title = title
        self.about = about
        self.home = home
        self.url = url
        self.updated = updated
    }
}
