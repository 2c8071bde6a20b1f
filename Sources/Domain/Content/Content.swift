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

    /// A single value: of a field, or of a field within a row.
    package struct Leaf: Sendable {
        /// The name of the field, or of the rows and the field within them: `screens.image`.
        let path: String
        let field: Field
        let value: JSONValue
    }

    /// All single values in the order of the type, those of rows row by row.
    package func leaves(of type: ContentType) -> [Leaf] {
        type.fields.flatMap { field -> [Leaf] in
            guard let value = fields[field.name] else { return [] }
            guard field.type == .rows else { return [Leaf(path: field.name, field: field, value: value)] }
            return (value.arrayValue ?? []).flatMap { row in
                field.fields.compactMap { inner in
                    row[inner.name].map { Leaf(path: "\(field.name).\(inner.name)", field: inner, value: $0) }
                }
            }
        }
    }

    /// An entry that this content names.
    package struct Reference: Sendable {
        /// As `Leaf.path`.
        package let field: String
        package let label: String
        /// From 0, within the field; the rows of a list count on.
        package let position: Int
        package let id: ID<Entry>
        package let counted: Bool
    }

    /// Which entries it names, in the order of the type; one that several rows name by the same field is told once.
    package func references(of type: ContentType) -> [Reference] {
        var known: [String: [ID<Entry>]] = [:]
        var references: [Reference] = []
        for leaf in leaves(of: type) where leaf.field.type.isReference {
            for id in (leaf.value.arrayValue ?? [leaf.value]).compactMap({ $0.stringValue.flatMap(ID<Entry>.init) })
            where known[leaf.path]?.contains(id) != true {
                references.append(
                    Reference(
                        field: leaf.path, label: leaf.field.label, position: known[leaf.path]?.count ?? 0, id: id,
                        counted: leaf.field.counted))
                known[leaf.path, default: []].append(id)
            }
        }
        return references
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
        Self.preview(fields, type.fields, length: type.previewLength)
    }

    private static func preview(
        _ values: [String: JSONValue], _ fields: [Field], length: Int?
    ) -> [String: JSONValue] {
        var preview: [String: JSONValue] = [:]
        for field in fields where field.preview {
            guard let value = values[field.name] else { continue }
            if let length, field.type == .longText, let text = value.stringValue {
                preview[field.name] = .string(cut(text, to: length))
            } else if field.type == .rows {
                let rows = (value.arrayValue ?? []).map {
                    Self.preview($0.objectValue ?? [:], field.fields, length: length)
                }
                preview[field.name] = .array(rows.map(JSONValue.object))
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
