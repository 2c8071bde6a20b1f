// The catalog items that content refers to, in order.

/// One field that refers to catalog items: rows with the items in order, or a single item.
package struct CatalogUse: Sendable, Equatable {
    package struct Item: Sendable, Equatable {
        package let id: ID<CatalogItem>
        /// The `note` field of the row.
        package let note: String
    }

    /// The name of the field or of the rows field.
    package let field: String
    package let items: [Item]
}

extension Content {
    /// One per field in the order of the type; fields without items are left out.
    package func catalogUses(of type: ContentType) -> [CatalogUse] {
        type.fields.compactMap { field in
            let items =
                field.type == .rows
                ? Self.items(in: fields[field.name], field)
                : field.type == .catalogItem ? Self.item(fields[field.name], note: nil) : []
            return items.isEmpty ? nil : CatalogUse(field: field.name, items: items)
        }
    }

    private static func items(in rows: JSONValue?, _ field: Field) -> [CatalogUse.Item] {
        let names = field.fields.filter { $0.type == .catalogItem }.map(\.name)
        return (rows?.arrayValue ?? []).flatMap { row in names.flatMap { item(row[$0], note: row["note"]) } }
    }

    private static func item(_ value: JSONValue?, note: JSONValue?) -> [CatalogUse.Item] {
        guard let id = value?.stringValue.flatMap(ID<CatalogItem>.init) else { return [] }
        return [CatalogUse.Item(id: id, note: note?.stringValue ?? "")]
    }
}
