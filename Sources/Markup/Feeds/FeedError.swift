// Why a document was not read as a feed.

package struct FeedError: Error, Sendable, Equatable {
    package enum Code: String, Sendable {
        case empty
        /// More than `FeedLimits.documentBytes`.
        case tooLarge
        /// It is something else, such as an HTML page.
        case notAFeed
        /// Neither well-formed nor repairable.
        case malformed
        /// It brings or names a DTD that could define entities.
        case doctype
        case tooDeep
        /// It names an encoding that is not known here, and is not UTF-8.
        case encoding
        /// More entries, elements, attributes or text than `FeedLimits` allow.
        case limit
    }

    package var code: Code
    /// A plain sentence for a curator.
    package var message: String
    /// Line of the document, from 1, where one is known.
    package var line: Int?

    init(_ code: Code, _ message: String, line: Int? = nil) {
        self.code = code
        self.message = message
        self.line = line
    }
}
