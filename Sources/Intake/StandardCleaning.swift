// The product's rules of content: the content types with Markup's cleaning.
import Domain
import Markup

extension ContentRules {
    /// HTML goes through the sanitizer; Markdown must be convertible and is stored as written.
    package init(types: ContentTypes) {
        self.init(
            types: types,
            cleaning: FieldCleaning(
                richText: { try HTMLSanitizer.sanitize($0) },
                markdown: { source in
                    _ = try Markdown.html(source)
                    return source
                }),
            // A text that was cleaned once can always be read again.
            plainText: { (try? HTMLSanitizer.plainText($0)) ?? "" })
    }
}
