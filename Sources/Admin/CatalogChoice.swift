// A thing of a catalog in a form: its id, and what people call it.
import Domain
import Store

struct CatalogChoice: Encodable, Sendable {
    /// The id as it was typed or chosen; empty where nothing is.
    let value: String
    /// A row is taken out as a whole.
    let isInRow: Bool
    /// What the button sends that takes it out of a field of its own.
    let out: String
    private(set) var title: String?
    /// Which catalog it is from: "Film".
    private(set) var kind: String?

    init(value: String, at place: FieldPointer) {
        self.value = value
        isInRow = place.name.split(separator: ".").count > 2
        out = CatalogPick.out(of: place)
    }

    private mutating func name(_ items: [String: CatalogItemRow], _ kinds: CatalogKinds) {
        guard let item = items[value] else { return }
        title = item.title
        kind = kinds[item.kind]?.label ?? item.kind
    }

    /// The ids that a form holds.
    static func values(in form: FieldForm) -> Set<String> {
        let leaves = form.controls.flatMap { [$0] + ($0.rows?.items.flatMap(\.controls) ?? []) }
        return Set(leaves.compactMap { $0.item?.value })
    }

    /// Gives all things of catalogs in a form their names.
    static func name(_ form: FieldForm, _ kinds: CatalogKinds, _ database: Database) async throws -> FieldForm {
        let ids = Set(values(in: form).compactMap { ID<CatalogItem>($0) })
        if ids.isEmpty { return form }
        let rows = try await database.catalogs.find(Array(ids))
        let items = Dictionary(rows.map { ($0.id.description, $0) }) { first, _ in first }
        var named = form
        for index in named.controls.indices {
            named.controls[index].item?.name(items, kinds)
            for row in (named.controls[index].rows?.items ?? []).indices {
                for inner in (named.controls[index].rows?.items[row].controls ?? []).indices {
                    named.controls[index].rows?.items[row].controls[inner].item?.name(items, kinds)
                }
            }
        }
        return named
    }
}
