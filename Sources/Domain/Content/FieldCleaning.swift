// The functions that sanitize markup; injected, because this module does not depend on HTML.

package struct FieldCleaning: Sendable {
    /// HTML that is safe to show, and what was lost on the way.
    package struct Cleaned: Sendable {
        package let html: String
        /// A sentence that names what was removed; nil if nothing was.
        package let removed: String?
        /// Of Markdown with HTML tags, the source without them.
        package let source: String?

        package init(html: String, removed: String? = nil, source: String? = nil) {
            self.html = html
            self.removed = removed
            self.source = source
        }

        /// Whether there is nothing to read or to see: no image, and no visible character outside of tags. Sanitized text
        /// and attributes contain no angle brackets.
        package var isEmpty: Bool {
            if html.contains("<img ") { return false }
            var isTag = false
            for scalar in html.unicodeScalars {
                switch scalar {
                case "<": isTag = true
                case ">": isTag = false
                default: if !isTag, !PlainText.isInvisible(scalar) { return false }
                }
            }
            return true
        }
    }

    /// Why markup can't be parsed, as a sentence.
    package struct Refusal: Error {
        package let reason: String

        package init(reason: String) {
            self.reason = reason
        }
    }

    /// Sanitizes HTML for storage. The second text is the URL that relative addresses refer to, if it is known.
    package let richText: @Sendable (String, String?) throws(Refusal) -> Cleaned
    /// Renders Markdown as sanitized HTML.
    package let markdown: @Sendable (String) throws(Refusal) -> Cleaned

    package init(
        richText: @escaping @Sendable (String, String?) throws(Refusal) -> Cleaned,
        markdown: @escaping @Sendable (String) throws(Refusal) -> Cleaned
    ) {
        self.richText = richText
        self.markdown = markdown
    }
}
