// How texts with markup are made safe: given by the caller, because HTML is not known here.

package struct FieldCleaning: Sendable {
    /// Takes HTML as it was written and gives the HTML that is stored; throws when it cannot be read.
    package let richText: @Sendable (String) throws -> String
    /// The same for Markdown.
    package let markdown: @Sendable (String) throws -> String

    package init(
        richText: @escaping @Sendable (String) throws -> String, markdown: @escaping @Sendable (String) throws -> String
    ) {
        self.richText = richText
        self.markdown = markdown
    }
}
