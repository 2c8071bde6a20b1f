// Names a catalog item in a submission without our id: by its id at a source, or by its title and year.

package struct CatalogReference: Sendable, Hashable {
    /// The members of its JSON object.
    package static let members = ["kind", "source", "external_id", "title", "year"]

    /// The catalog, such as `movie`; nil for any.
    package let kind: String?
    /// Set together with `externalID`.
    package let source: String?
    package let externalID: String?
    package let title: String?
    package let year: Int?

    /// Reads `{"source": "tmdb", "external_id": "603"}` or `{"title": "The Matrix", "year": 1999}`, each with an optional
    /// `kind`, or the text of such an object, as forms send it. Nil for anything else.
    package init?(_ value: JSONValue) {
        var value = value
        if let text = value.stringValue {
            guard text.hasPrefix("{"), let parsed = try? JSONValue(parsing: Array(text.utf8)) else { return nil }
            value = parsed
        }
        guard case .object(let members) = value else { return nil }
        kind = members["kind"]?.stringValue
        source = members["source"]?.stringValue
        externalID = members["external_id"]?.stringValue
        title = members["title"]?.stringValue
        year = members["year"]?.integerValue.map(Int.init)
        guard source != nil && externalID != nil || source == nil && externalID == nil && title != nil else {
            return nil
        }
    }

    /// What a curator reads: `The Matrix (1999)`, or `tmdb 603`.
    package var label: String {
        let name = title.map { title in year.map { "\(title) (\($0))" } ?? title }
        let id = source.flatMap { source in externalID.map { "\(source) \($0)" } }
        return [name, id].compactMap { $0 }.joined(separator: ", ")
    }
}

extension ContentType {
    /// The references among these values, each with its pointer, such as `/fields/items/0/item`.
    package func catalogReferences(in fields: [String: JSONValue]) -> [(pointer: String, reference: CatalogReference)] {
        var found: [(pointer: String, reference: CatalogReference)] = []
        _ = replacingCatalogItems(in: fields) { pointer, value in
            if let reference = CatalogReference(value) { found.append((pointer, reference)) }
            return value
        }
        return found
    }

    /// The catalog items that these values name by our id, each with its pointer, such as `/fields/items/0/item`.
    package func catalogItems(in fields: [String: JSONValue]) -> [(pointer: String, id: ID<CatalogItem>)] {
        var found: [(pointer: String, id: ID<CatalogItem>)] = []
        _ = replacingCatalogItems(in: fields) { pointer, value in
            if let id = value.stringValue.flatMap(ID<CatalogItem>.init) { found.append((pointer, id)) }
            return value
        }
        return found
    }

    /// The values with each value of a catalog item replaced.
    package func replacingCatalogItems(
        in fields: [String: JSONValue], _ replacement: (_ pointer: String, _ value: JSONValue) -> JSONValue
    ) -> [String: JSONValue] {
        var fields = fields
        for field in self.fields {
            let pointer = "/fields" + FieldErrors.step(field.name)
            if field.type == .catalogItem, let value = fields[field.name] {
                fields[field.name] = replacement(pointer, value)
            } else if field.type == .rows, let rows = fields[field.name]?.arrayValue {
                let inner = field.fields.filter { $0.type == .catalogItem }.map(\.name)
                fields[field.name] = .array(
                    rows.enumerated().map { index, row in
                        guard var members = row.objectValue else { return row }
                        for name in inner {
                            guard let value = members[name] else { continue }
                            members[name] = replacement("\(pointer)/\(index)" + FieldErrors.step(name), value)
                        }
                        return .object(members)
                    })
            }
        }
        return fields
    }
}
