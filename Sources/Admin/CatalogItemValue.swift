// A catalog item in a form: its id, title and catalog.
import Domain
import Store

struct CatalogItemValue: Encodable, Sendable {
    /// The submitted or selected id; empty for none.
    let value: String
    /// An item in a row is removed together with the row.
    let isInRow: Bool
    /// The value of the button that removes it from a field of its own.
    let remove: String
    private(set) var title: String?
    /// The label of its catalog: "Film".
    private(set) var kind: String?

    init(value: String, at input: FieldInput) {
        self.value = value
        isInRow = input.name.split(separator: ".").count > 2
        remove = CatalogItemEdit.remove(from: input)
    }

    private mutating func setTitle(_ items: [String: CatalogItemRow], _ kinds: CatalogKinds) {
        guard let item = items[value] else { return }
        title = item.title
        kind = kinds[item.kind]?.label ?? item.kind
    }

    /// The ids in a form.
    static func values(in form: FieldForm) -> Set<String> {
        let leaves = form.controls.flatMap { [$0] + ($0.rows?.items.flatMap(\.controls) ?? []) }
        return Set(leaves.compactMap { $0.item?.value })
    }

    /// Loads the titles of all catalog items in a form.
    static func loadTitles(_ form: FieldForm, _ kinds: CatalogKinds, _ database: Database) async throws -> FieldForm {
        let ids = Set(values(in: form).compactMap { ID<CatalogItem>($0) })
        if ids.isEmpty { return form }
        let rows = try await database.catalogs.find(Array(ids))
        let items = Dictionary(rows.map { ($0.id.description, $0) }) { first, _ in first }
        var result = form
        for index in result.controls.indices {
            result.controls[index].item?.setTitle(items, kinds)
            for row in (result.controls[index].rows?.items ?? []).indices {
                for inner in (result.controls[index].rows?.items[row].controls ?? []).indices {
                    result.controls[index].rows?.items[row].controls[inner].item?.setTitle(items, kinds)
                }
            }
        }
        return result
    }
}
