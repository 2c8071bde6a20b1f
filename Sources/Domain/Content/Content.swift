// The validated field values of an entry at one time.

package struct Content: Sendable, Hashable {
    /// Values by field name; fields without a value are absent.
    package let fields: [String: JSONValue]

    /// For content that is already validated, such as content from the database.
    package init(fields: [String: JSONValue]) {
        self.fields = fields
    }

    /// The canonical JSON of this content; equal content has equal text.
    package var canonicalText: String {
        JSONValue.object(fields).canonicalText
    }

    /// A single value of a field, or of a field within a row.
    package struct Leaf: Sendable {
        /// The field name, or the rows field and the field within a row: `screens.image`.
        package let path: String
        /// The pointer of messages about it: `/fields/screens/0/image`.
        let pointer: String
        package let field: Field
        package let value: JSONValue
    }

    /// All single values in the order of the type; rows one by one.
    package func leaves(of type: ContentType) -> [Leaf] {
        type.fields.flatMap { field -> [Leaf] in
            guard let value = fields[field.name] else { return [] }
            guard field.type == .rows else {
                return [Leaf(path: field.name, pointer: field.pointer, field: field, value: value)]
            }
            return (value.arrayValue ?? []).enumerated().flatMap { index, row in
                field.fields.compactMap { inner in
                    let pointer = "\(field.pointer)/\(index)\(FieldErrors.step(inner.name))"
                    return row[inner.name].map {
                        Leaf(path: "\(field.name).\(inner.name)", pointer: pointer, field: inner, value: $0)
                    }
                }
            }
        }
    }

    /// The texts with markup: fields of these types, those in rows too, at paths such as `body` and `screens/0/text`.
    func markup(of type: ContentType) -> [(path: String, field: Field, value: String)] {
        func isMarkup(_ field: Field) -> Bool { field.type == .richText || field.type == .markdown }
        return type.fields.flatMap { rows -> [(path: String, field: Field, value: String)] in
            if isMarkup(rows) { return fields[rows.name]?.stringValue.map { [(rows.name, rows, $0)] } ?? [] }
            let inner = rows.fields.filter(isMarkup)
            if inner.isEmpty { return [] }
            return (fields[rows.name]?.arrayValue ?? []).enumerated().flatMap { index, row in
                inner.compactMap { field in
                    row[field.name]?.stringValue.map { ("\(rows.name)/\(index)/\(field.name)", field, $0) }
                }
            }
        }
    }

    /// The Markdown by path: fields of that type, and the values of a text whose format it is (B61).
    func markdown(of type: ContentType) -> [(path: String, source: String)] {
        if type.rule == .text { return TextRule.markdown(in: fields) }
        return markup(of: type).filter { $0.field.type == .markdown }.map { ($0.path, $0.value) }
    }

    /// A reference to another entry.
    package struct Reference: Sendable {
        /// Same as `Leaf.path`.
        package let field: String
        /// The pointer of messages about it, in content without empty rows: `/fields/feeds/0`.
        package let pointer: String
        package let label: String
        /// The content types that its field takes.
        package let targets: [String]
        /// From 0 within the field; it continues across rows.
        package let position: Int
        package let id: ID<Entry>
        package let counted: Bool
    }

    /// The references in the order of the type; an entry that several rows name in the same field is listed once.
    package func references(of type: ContentType) -> [Reference] {
        var seen: [String: [ID<Entry>]] = [:]
        var references: [Reference] = []
        for leaf in leaves(of: type) where leaf.field.type.isReference {
            for (index, value) in (leaf.value.arrayValue ?? [leaf.value]).enumerated() {
                guard let id = value.stringValue.flatMap(ID<Entry>.init), seen[leaf.path]?.contains(id) != true else {
                    continue
                }
                references.append(
                    Reference(
                        field: leaf.path,
                        pointer: leaf.field.type == .references ? "\(leaf.pointer)/\(index)" : leaf.pointer,
                        label: leaf.field.label, targets: leaf.field.targets,
                        position: seen[leaf.path]?.count ?? 0, id: id, counted: leaf.field.counted))
                seen[leaf.path, default: []].append(id)
            }
        }
        return references
    }

    /// The entry within which the references of a field are also counted separately, such as the city of a place.
    package func within(_ field: String, of type: ContentType) -> ID<Entry>? {
        type.field(field)?.countedWithin.flatMap { fields[$0]?.stringValue }.flatMap(ID.init)
    }

    /// The title; empty if it is missing.
    package func title(in type: ContentType) -> String {
        fields[type.titleField]?.stringValue ?? ""
    }

    /// The fields that a guest may see: only fields marked `preview`, with long texts cut between words.
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

    /// At most `length` characters, including the ellipsis of a shortened text.
    private static func cut(_ text: String, to length: Int) -> String {
        guard PlainText.isLonger(text, than: length) else { return text }
        var start = text.prefix(length - 1)
        // Cuts at the last space before the limit; a single long word is cut at the limit.
        if !text[start.endIndex].isWhitespace, let space = start.lastIndex(where: \.isWhitespace) {
            start = start[..<space]
        }
        while start.last?.isWhitespace == true { start.removeLast() }
        return start + "…"
    }
}
