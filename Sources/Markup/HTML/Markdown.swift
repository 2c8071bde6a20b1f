// Converts CommonMark to sanitized HTML.

import CCmark

package enum Markdown {
    /// Bounds the few non-linear cases of the parser to less than a second.
    package static let maximumLength = 64 * 1024
    /// What the parser writes for raw HTML; the same text in the source is escaped.
    private static let omission = "<!-- raw HTML omitted -->"

    /// Drops raw HTML, does not support tables, and sanitizes the result. Throws for more than 64 KiB of UTF-8, or more
    /// markup than `HTMLSanitizer` accepts.
    package static func html(_ source: String) throws(HTMLRefusal) -> SafeHTML {
        SafeHTML(try clean(source))
    }

    /// The same, with what was removed.
    package static func clean(_ source: String) throws(HTMLRefusal) -> CleanedHTML {
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
            var cleaned = try HTMLSanitizer.clean(html ?? "")
            if html?.contains(omission) == true { cleaned.remove("HTML tags") }
            return cleaned
        } catch .tooLong {
            // The source was short, so the generated markup is too long.
            throw .tooManyTags
        }
    }
}
