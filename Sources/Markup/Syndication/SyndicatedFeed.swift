// A feed as feed readers take it, before it is written as RSS, Atom or JSON Feed.

package struct SyndicatedFeed: Sendable {
    package struct Moment: Sendable {
        /// RFC 3339, as Atom and JSON Feed want it.
        package let rfc3339: String
        /// As HTTP and RSS want it: Fri, 20 Nov 2026 18:00:00 GMT.
        package let rfc822: String

        package init(rfc3339: String, rfc822: String) {
            self.rfc3339 = rfc3339
            self.rfc822 = rfc822
        }
    }

    package struct Image: Sendable {
        package let address: String
        package let description: String

        package init(address: String, description: String) {
            self.address = address
            self.description = description
        }
    }

    package struct Entry: Sendable {
        /// A UUID, the same for ever.
        package let id: String
        package let title: String
        /// Plain text.
        package let summary: String
        /// The whole text as clean HTML; nil where only the summary may be read.
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

    /// A UUID, the same for ever.
    package let id: String
    package let title: String
    /// Plain text.
    package let about: String
    /// The page that people see.
    package let home: String
    /// Where this document is.
    package let address: String
    /// Where the next page of it is.
    package var next: String?
    /// When it last changed.
    package let updated: Moment
    package var entries: [Entry] = []

    package init(id: String, title: String, about: String, home: String, address: String, updated: Moment) {
        self.id = id
        self.title = title
        self.about = about
        self.home = home
        self.address = address
        self.updated = updated
    }
}
