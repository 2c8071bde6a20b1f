// The content types and the cleaning of their texts, which every content change is validated against.

package struct ContentRules: Sendable {
    package let types: ContentTypes
    private let cleaning: FieldCleaning
    private let plainText: @Sendable (String) -> String

    /// `plainText` strips the markup from cleaned HTML.
    package init(types: ContentTypes, cleaning: FieldCleaning, plainText: @escaping @Sendable (String) -> String) {
        self.types = types
        self.cleaning = cleaning
        self.plainText = plainText
    }

    /// The content type of this name. Throws `Failure.invalid` at `pointer` if it is unknown.
    package func type(named name: String, pointer: String = "/type") throws(Failure) -> ContentType {
        if let type = types[name] { return type }
        let names = types.all.map(\.name).joined(separator: ", ")
        throw .invalid(FieldErrors(pointer, "choice", "Unknown content type \(name). Choose one of: \(names)."))
    }

    /// Validates and cleans the fields of a submission or revision; reports all errors at once.
    package func check(
        _ raw: [String: JSONValue], as type: ContentType, for purpose: ContentType.Purpose
    ) throws(Failure) -> Content {
        try type.check(raw, purpose: purpose, cleaning: cleaning)
    }

    /// The text of all markup fields without the markup, for search, previews and diffs.
    package func plain(_ content: Content, in type: ContentType) -> String {
        content.leaves(of: type).compactMap { leaf in
            guard leaf.field.type == .richText || leaf.field.type == .markdown else { return nil }
            return leaf.value.stringValue.map(plainText)
        }.joined(separator: "\n")
    }
}
