// The functions that sanitize markup; injected, because this module does not depend on HTML.

package struct FieldCleaning: Sendable {
    /// Sanitizes HTML for storage; throws if it cannot be parsed.
    package let richText: @Sendable (String) throws -> String
    /// Converts Markdown; throws if it cannot be parsed.
    package let markdown: @Sendable (String) throws -> String

    package init(
        richText: @escaping @Sendable (String) throws -> String, markdown: @escaping @Sendable (String) throws -> String
    ) {
        self.richText = richText
        self.markdown = markdown
    }
}
