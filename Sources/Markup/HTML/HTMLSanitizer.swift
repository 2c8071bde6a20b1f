// Sanitizes untrusted HTML or converts it to plain text.

import FoundationEssentials

package enum HTMLSanitizer {
    /// Well-formed HTML with only allowed elements and attributes (see `ElementPolicy`, `HTMLStartTag`) and with every
    /// link
    /// marked `nofollow ugc noopener`. Idempotent. Resolves relative URLs against `base`; without a base, such links
    /// and
    /// images are removed. Throws for more than 1 MiB, and for tags that are too many or too deeply nested to parse
    /// safely.
    package static func sanitize(_ html: String, base: URL? = nil) throws(HTMLRefusal) -> String {
        var writer = HTMLWriter(base: base)
        try HTMLTree.walk(html, with: &writer)
        return writer.finished()
    }

    /// The visible text: character references decoded, white space collapsed, one line per block.
    /// Throws like `sanitize`.
    package static func plainText(_ html: String) throws(HTMLRefusal) -> String {
        var reader = HTMLPlainText()
        try HTMLTree.walk(html, with: &reader)
        return reader.text
    }
}
