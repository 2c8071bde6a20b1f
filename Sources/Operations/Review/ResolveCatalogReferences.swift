// Replaces the references to catalog items in a submission by the stored items that they name (D2).
import Domain
import Localization
import Store

enum ResolveCatalogReferences {
    /// The fields with the ids of the items. Throws `Failure.invalid` for references that match no stored item
    /// (`unresolved`) or several (`ambiguous`, with the matches), each at its field.
    static func resolve(
        _ fields: [String: JSONValue], of type: ContentType, _ stores: any Stores
    ) async throws -> [String: JSONValue] {
        let references = type.catalogReferences(in: fields)
        if references.isEmpty { return fields }
        let matches = try await stores.catalogItems?.matches(for: references.map(\.reference)) ?? [:]
        var errors = FieldErrors()
        for (pointer, reference) in references {
            let found = matches[reference] ?? []
            if found.count == 1 { continue }
            let names = found.map { "\($0.title) (\($0.kind), \($0.id))" }.joined(separator: "; ")
            errors.add(
                pointer, found.isEmpty ? "unresolved" : "ambiguous",
                found.isEmpty
                    ? tr(
                        "\(reference.label) is not stored in any catalog. Search for it there, or remove it from the list."
                    )
                    : tr("\(reference.label) matches several catalog items. Choose one: \(names)."))
        }
        try errors.throwIfAny()
        return type.replacingCatalogItems(in: fields) { _, value in
            CatalogReference(value).flatMap { matches[$0]?.first }.map { .string($0.id.description) } ?? value
        }
    }
}
