// The content types together with how their texts are cleaned: what every change of content is checked against.

package struct ContentRules: Sendable {
    package let types: ContentTypes
    private let cleaning: FieldCleaning
    private let plainText: @Sendable (String) -> String

    /// `plainText` gives the text of cleaned HTML without its markup.
    package init(types: ContentTypes, cleaning: FieldCleaning, plainText: @escaping @Sendable (String) -> String) {
        self.types = types
        self.cleaning = cleaning
        self.plainText = plainText
    }

    /// The content type of a name; an unknown one is refused at `pointer`.
    package func type(named name: String, pointer: String = "/type") throws(Failure) -> ContentType {
        if let type = types[name] { return type }
        let names = types.all.map(\.name).joined(separator: ", ")
        throw .invalid(FieldErrors(pointer, "choice", "There is no content type named \(name); there are \(names)."))
    }

    /// Checks and cleans the fields of a submission or a revision: every message at once.
    package func check(
        _ raw: [String: JSONValue], as type: ContentType, for purpose: ContentType.Purpose
    ) throws(Failure) -> Content {
        try type.check(raw, purpose: purpose, cleaning: cleaning)
    }

    /// The text of all fields with markup, without it: for searches, previews and diffs.
    package func plain(_ content: Content, in type: ContentType) -> String {
        content.leaves(of: type).compactMap { leaf in
            guard leaf.field.type == .richText || leaf.field.type == .markdown else { return nil }
            return leaf.value.stringValue.map(plainText)
        }.joined(separator: "\n")
    }
}
