// HTML that can be inserted into a page unescaped: sanitized, or a literal of this source.

import FoundationEssentials

package struct SafeHTML: Sendable, Hashable, Encodable, CustomStringConvertible {
    package let html: String

    /// Throws if the text is rejected; see `HTMLSanitizer.sanitize`.
    package init(sanitizing html: String, base: URL? = nil) throws(HTMLRefusal) {
        self.html = try HTMLSanitizer.sanitize(html, base: base)
    }

    init(_ cleaned: CleanedHTML) {
        html = cleaned.html
    }

    /// Accepts only literals of this source, which are trusted.
    package init(trusted html: StaticString) {
        self.html = html.description
    }

    private init(sanitized html: String) {
        self.html = html
    }

    /// The same with `withMediaURL`.
    package func withMediaURL(_ base: String) -> SafeHTML {
        SafeHTML(sanitized: Self.withMediaURL(base, in: html))
    }

    /// Sanitized HTML whose library images, relative to the base URL of media, are resolved against it.
    package static func withMediaURL(_ base: String, in html: String) -> String {
        guard html.contains("<img ") else { return html }
        let start = " src=\"" + HTMLEscape.attribute(base)
        return html.replacing(#/ src="(?=[0-9a-f]{2}\/[0-9a-f]{62}\.(jpg|png)")/#, with: start)
    }

    package var description: String { html }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(html)
    }
}
