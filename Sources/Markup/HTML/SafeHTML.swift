// HTML that may be put into a page unescaped: cleaned, or written by ourselves.

import FoundationEssentials

package struct SafeHTML: Sendable, Hashable, Encodable, CustomStringConvertible {
    package let html: String

    /// Throws when the text is refused: see `HTMLSanitizer.sanitize`.
    package init(sanitizing html: String, base: URL? = nil) throws(HTMLRefusal) {
        self.html = try HTMLSanitizer.sanitize(html, base: base)
    }

    /// Only a literal of our own source can be trusted.
    package init(trusted html: StaticString) {
        self.html = html.description
    }

    package var description: String { html }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(html)
    }
}
