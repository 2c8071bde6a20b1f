// Sanitizes untrusted HTML or converts it to plain text.

import FoundationEssentials

package enum HTMLSanitizer {
    /// Well-formed HTML with only allowed elements and attributes (see `ElementPolicy`, `HTMLStartTag`) and with every
    /// link to another page marked `nofollow ugc noopener`. Idempotent. Resolves relative URLs against `base`; without a
    /// base, such links and images are removed. Throws for more than 1 MiB, and for tags that are too many or too deeply
    /// nested to parse safely.
    package static func sanitize(_ html: String, base: URL? = nil) throws(HTMLRefusal) -> String {
        try clean(html, base: base).html
    }

    /// The same, with what was removed.
    package static func clean(_ html: String, base: URL? = nil) throws(HTMLRefusal) -> CleanedHTML {
        var cleaned = CleanedHTML()
        var hasAnchors = false
        try HTMLTree.parse(html) { root in
            var anchors = HTMLAnchors()
            HTMLTree.walk(root, with: &anchors)
            var writer = HTMLWriter(base: base, anchors: anchors)
            HTMLTree.walk(root, with: &writer)
            cleaned = writer.finished()
            hasAnchors = anchors.isUsed
        }
        // A link that was not written, because it has no text, keeps no id; only the result shows which were.
        if hasAnchors {
            try HTMLTree.parse(cleaned.html) { root in
                var anchors = HTMLAnchors()
                HTMLTree.walk(root, with: &anchors)
                var writer = HTMLWriter(base: nil, anchors: anchors)
                HTMLTree.walk(root, with: &writer)
                cleaned.html = writer.finished().html
            }
        }
        return cleaned
    }

    /// The visible text: character references decoded, white space collapsed, one line per block.
    /// Throws like `sanitize`.
    package static func plainText(_ html: String) throws(HTMLRefusal) -> String {
        var reader = HTMLPlainText()
        try HTMLTree.walk(html, with: &reader)
        return reader.text
    }
}
