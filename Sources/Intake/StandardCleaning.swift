// The content rules of the product: the content types with Markup's sanitizers.
import Domain
import Markup

extension ContentRules {
    /// HTML is sanitized; Markdown must convert and is stored unchanged.
    package init(types: ContentTypes) {
        self.init(
            types: types,
            cleaning: FieldCleaning(
                richText: { try HTMLSanitizer.sanitize($0) },
                markdown: { source in
                    _ = try Markdown.html(source)
                    return source
                }),
            // Sanitized text always parses.
            plainText: { (try? HTMLSanitizer.plainText($0)) ?? "" })
    }
}
