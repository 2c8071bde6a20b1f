// Which things of catalogs a content names, and in which order.

/// One field that names things of catalogs: a list of rows with the things in their order, or a single one.
package struct CatalogUse: Sendable, Equatable {
    package struct Item: Sendable, Equatable {
        package let id: ID<CatalogItem>
        /// What the row says of it in its field `note`.
        package let note: String
    }

    /// The name of the field, or of the rows.
    package let field: String
    package let items: [Item]
}

extension Content {
    /// By field in the order of the type; fields that name nothing are left out.
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
