// Converts CommonMark to sanitized HTML.

import CCmark

package enum Markdown {
    /// Bounds the few non-linear cases of the parser to less than a second.
    package static let maximumLength = 64 * 1024
    /// Drops raw HTML, does not support tables, and sanitizes the result. Throws for more than 64 KiB of UTF-8, or more
    /// markup than `HTMLSanitizer` accepts.
    package static func html(_ source: String) throws(HTMLRefusal) -> SafeHTML {
        SafeHTML(try clean(source))
    }

    /// The same, with what was removed.
    package static func clean(_ source: String) throws(HTMLRefusal) -> CleanedHTML {
        guard source.utf8.count <= maximumLength else { throw .tooLong(limit: maximumLength) }
        let document = MarkdownDocument(source)
        do {
            var cleaned = try HTMLSanitizer.clean(document.html)
            cleaned.isMarkdown = true
            cleaned.source = document.removeTags()
            return cleaned
        } catch .tooLong {
            // The source was short, so the generated markup is too long.
            throw .tooManyTags
        }
    }
}
