// Why a document was rejected as a feed.

package struct FeedError: Error, Sendable, Equatable {
    package enum Code: String, Sendable {
        case empty
        /// More than `FeedLimits.documentBytes`.
        case tooLarge
        /// Something else, such as an HTML page.
        case notAFeed
        /// Neither well-formed nor repairable.
        case malformed
        /// Contains or references a DTD that could define entities.
        case doctype
        case tooDeep
        /// Declares an unknown encoding and is not UTF-8.
        case encoding
        /// Exceeds `FeedLimits`.
        case limit
    }

    package var code: Code
    /// A sentence for curators.
    package var message: String
    /// The line of the document, from 1, if known.
    package var line: Int?

    init(_ code: Code, _ message: String, line: Int? = nil) {
        self.code = code
        self.message = message
        self.line = line
    }
}
