// Makes a stranger's HTML safe to show, or turns it into plain text.

import FoundationEssentials

package enum HTMLSanitizer {
    /// HTML of allowed elements and attributes only (see `ElementPolicy`, `HTMLStartTag`), well nested, with every link
    /// marked `nofollow ugc noopener`. Cleaning the result again changes nothing.
    /// Relative addresses are resolved against `base`; without one, such links and images are taken out.
    /// Throws for more than 1 MiB, or tags so many or so tangled that parsing them would be an attack.
    package static func sanitize(_ html: String, base: URL? = nil) throws(HTMLRefusal) -> String {
        var writer = HTMLWriter(base: base)
        try HTMLTree.walk(html, with: &writer)
        return writer.finished()
    }

    /// What a reader would see: character references decoded, white space folded, one line per block.
    /// Throws as `sanitize` does.
    package static func plainText(_ html: String) throws(HTMLRefusal) -> String {
        var reader = HTMLPlainText()
        try HTMLTree.walk(html, with: &reader)
        return reader.text
    }
}
