// HTML that can be inserted into a page unescaped: sanitized, or a literal of this source.

import FoundationEssentials

package struct SafeHTML: Sendable, Hashable, Encodable, CustomStringConvertible {
    package let html: String

    /// Throws if the text is rejected; see `HTMLSanitizer.sanitize`.
    package init(sanitizing html: String, base: URL? = nil) throws(HTMLRefusal) {
        self.html = try HTMLSanitizer.sanitize(html, base: base)
    }

    /// Accepts only literals of this source, which are trusted.
    package init(trusted html: StaticString) {
        self.html = html.description
    }

    package var description: String { html }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(html)
    }
}
