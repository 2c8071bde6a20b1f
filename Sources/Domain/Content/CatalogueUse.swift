// Which things of catalogues a content names, and in which order.

/// One field that names things of catalogues: a list of rows with the things in their order, or a single one.
package struct CatalogueUse: Sendable, Equatable {
    package struct Item: Sendable, Equatable {
        package let id: ID<CatalogueItem>
        /// What the row says of it in its field `note`.
        package let note: String
    }

    /// The name of the field, or of the rows.
    package let field: String
    package let items: [Item]
}

extension Content {
    /// By field in the order of the type; fields that name nothing are left out.
    package func catalogueUses(of type: ContentType) -> [CatalogueUse] {
        type.fields.compactMap { field in
            let items =
                field.type == .rows
                ? Self.items(in: fields[field.name], field)
                : field.type == .catalogueItem ? Self.item(fields[field.name], note: nil) : []
            return items.isEmpty ? nil : CatalogueUse(field: field.name, items: items)
        }
    }

    private static func items(in rows: JSONValue?, _ field: Field) -> [CatalogueUse.Item] {
        let names = field.fields.filter { $0.type == .catalogueItem }.map(\.name)
        return (rows?.arrayValue ?? []).flatMap { row in names.flatMap { item(row[$0], note: row["note"]) } }
    }

    private static func item(_ value: JSONValue?, note: JSONValue?) -> [CatalogueUse.Item] {
        guard let id = value?.stringValue.flatMap(ID<CatalogueItem>.init) else { return [] }
        return [CatalogueUse.Item(id: id, note: note?.stringValue ?? "")]
    }
}
