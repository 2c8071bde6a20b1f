// The functions that sanitize markup; injected, because this module does not depend on HTML.

package struct FieldCleaning: Sendable {
    /// HTML that is safe to show, and what was lost on the way.
    package struct Cleaned: Sendable {
        package let html: String
        /// A sentence that names what was removed; nil if nothing was.
        package let removed: String?

        package init(html: String, removed: String? = nil) {
            self.html = html
            self.removed = removed
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
