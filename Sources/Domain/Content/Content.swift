// What an entry says at one time: the values of its fields, checked.

package struct Content: Sendable, Hashable {
    /// By name; a field without a value is not in it.
    package let fields: [String: JSONValue]

    /// For content that was checked before: read from the database, or just checked.
    package init(fields: [String: JSONValue]) {
        self.fields = fields
    }

    /// The one way to write this content; equal content has equal text.
    package var canonicalText: String {
        JSONValue.object(fields).canonicalText
    }

    /// The bytes under the content hash.
    package var hashInput: [UInt8] {
        Array(canonicalText.utf8)
    }

    /// Which entries it names: by field in the order of the type, with positions from 0.
    package func references(of type: ContentType) -> [(field: String, position: Int, id: ID<Entry>)] {
        type.fields.filter(\.type.isReference).flatMap { field in
            let values = fields[field.name].map { $0.arrayValue ?? [$0] } ?? []
            return values.enumerated().compactMap { position, value in
                value.stringValue.flatMap(ID<Entry>.init).map { (field: field.name, position: position, id: $0) }
            }
        }
    }

    /// The entry within which the references of a field are also counted apart, such as the city of a place.
    package func within(_ field: String, of type: ContentType) -> ID<Entry>? {
        type.field(field)?.countedWithin.flatMap { fields[$0]?.stringValue }.flatMap(ID.init)
    }

    /// Empty where the title is missing.
    package func title(in type: ContentType) -> String {
        fields[type.titleField]?.stringValue ?? ""
    }

    /// What a guest may see: the fields marked so and nothing else, long texts cut between words.
    package func preview(in type: ContentType) -> [String: JSONValue] {
        var preview: [String: JSONValue] = [:]
        for field in type.fields where field.preview {
            guard let value = fields[field.name] else { continue }
            if let length = type.previewLength, field.type == .longText, let text = value.stringValue {
                preview[field.name] = .string(Self.cut(text, to: length))
            } else {
                preview[field.name] = value
            }
        }
        return preview
    }

    /// At most `length` characters, the last of them an ellipsis where something is missing.
    private static func cut(_ text: String, to length: Int) -> String {
        guard PlainText.isLonger(text, than: length) else { return text }
        var start = text.prefix(length - 1)
        // In the middle of a word, step back to the space before it; a single long word is cut where it is.
        if !text[start.endIndex].isWhitespace, let space = start.lastIndex(where: \.isWhitespace) {
            start = start[..<space]
        }
        while start.last?.isWhitespace == true { start.removeLast() }
        return start + "…"
    }
}
