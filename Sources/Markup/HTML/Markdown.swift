// Limiter CommonMark into safe HTML.

import CCmark

package enum Markdown {
    /// The parser is linear in its input but for a few oddities, which this length keeps under a second.
    package static let maximumLength = 64 * 1024

    /// Raw HTML in the source is left out, there are no tables, and the result is cleaned as a stranger's HTML is.
    /// Throws for more than 64 KiB of UTF-8, or more markup than `HTMLSanitizer` takes.
    package static func html(_ source: String) throws(HTMLRefusal) -> SafeHTML {
        var source = source
        guard source.utf8.count <= maximumLength else { throw .tooLong(limit: maximumLength) }
        let html = source.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters -> String? in
                guard let start = characters.baseAddress,
                    let html = cmark_markdown_to_html(start, characters.count, CMARK_OPT_DEFAULT)
                else { return nil }
                defer { cmark_get_default_mem_allocator().pointee.free(html) }
                return String(cString: html)
            }
        }
        do {
            return try SafeHTML(sanitizing: html ?? "")
        } catch .tooLong {
            // The source was short, so it was the markup that grew.
            throw .tooManyTags
        }
    }
}
