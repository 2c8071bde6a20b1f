// A catalog item in a form: its id, title and catalog.
import Domain
import Store

struct CatalogItemValue: Encodable, Sendable {
    struct Candidate: Encodable, Sendable {
        let value: String
        let label: String
    }

    /// The submitted or selected id, or a reference of a submission; empty for none.
    private(set) var value: String
    /// An item in a row is removed together with the row.
    let isInRow: Bool
    /// The value of the button that removes it from a field of its own.
    let remove: String
    private(set) var title: String?
    /// The label of its catalog: "Film".
    private(set) var kind: String?
    /// What a reference names that matches no stored item, or several.
    private(set) var reference: String?
    /// The items that a reference may mean, or that the search found.
    private(set) var candidates: [Candidate] = []
    /// Where the sources of the catalogs are searched for an item that isn't stored yet.
    private(set) var sources: String?
    /// The key of the input.
    let key: String
    /// The name of the search's input; nil where stored items can't be searched.
    private(set) var find: String?
    private(set) var query = ""
    private(set) var foundNone = false

    private static let found = 20

    init(value: String, at input: FieldInput) {
        self.value = value
        key = input.key
        isInRow = input.name.split(separator: ".").count > 2
        remove = CatalogItemEdit.remove(from: input)
    }

    /// A reference that names exactly one stored item becomes its id.
    private mutating func resolve(_ matches: [CatalogReference: [CatalogItemRow]], _ catalog: any EntryCatalog) {
        guard let named = CatalogReference(.string(value)) else { return }
        let found = matches[named] ?? []
        if found.count == 1 {
            value = found[0].id.description
        } else {
            reference = named.label
            candidates = found.map { Self.candidate($0, catalog) }
        }
    }

    private static func candidate(_ item: CatalogItemRow, _ catalog: any EntryCatalog) -> Candidate {
        let year = item.details["released"] ?? item.details["published"] ?? item.details["first_aired"]
        let about = [catalog.label(of: item.kind), year?.stringValue, "\(item.source) \(item.externalID)"]
        return Candidate(
            value: item.id.description, label: "\(item.title) (\(about.compactMap { $0 }.joined(separator: ", ")))")
    }

    private mutating func offerSearch(_ sources: String) {
        self.sources = sources
        find = "find." + key
    }

    private mutating func add(_ found: [CatalogItemRow], _ query: String, _ catalog: any EntryCatalog) {
        self.query = query
        foundNone = found.isEmpty
        if !found.isEmpty { candidates = found.map { Self.candidate($0, catalog) } }
    }

    private mutating func setTitle(_ items: [String: CatalogItemRow], _ catalog: any EntryCatalog) {
        guard let item = items[value] else { return }
        title = item.title
        kind = catalog.label(of: item.kind)
    }

    /// The ids in a form.
    static func values(in form: FieldForm) -> Set<String> {
        var values: Set<String> = []
        form.forEach { if let item = $0.item { values.insert(item.value) } }
        return values
    }

    /// Loads the titles of all catalog items in a form, the items that its references name, and what the requested search
    /// finds. `sources` is the URL of the search in the sources of the catalogs.
    static func loadTitles(_ form: FieldForm, _ request: AdminRequest, sources: String) async throws -> FieldForm {
        guard let catalog = request.context.catalog, let items = request.database.catalogItems else { return form }
        var result = form
        let references = values(in: form).compactMap { CatalogReference(.string($0)) }
        if !references.isEmpty {
            let matches = try await items.matches(for: references)
            result.update { $0.item?.resolve(matches, catalog) }
        }
        result.update { $0.item?.offerSearch(sources) }
        result = try await searched(result, request, items, catalog)
        let ids = values(in: result).compactMap { ID<CatalogItem>($0) }
        if ids.isEmpty { return result }
        let rows = try await items.find(ids)
        let found = Dictionary(rows.map { ($0.id.description, $0) }) { first, _ in first }
        result.update { $0.item?.setTitle(found, catalog) }
        return result
    }

    /// Adds what the requested search finds among the stored items.
    private static func searched(
        _ form: FieldForm, _ request: AdminRequest, _ items: any CatalogItems, _ catalog: any EntryCatalog
    ) async throws -> FieldForm {
        guard let key = EntryPicker.requested(request.form) else { return form }
        var isHere = false
        form.forEach { if $0.item?.key == key { isHere = true } }
        let query = PlainText.singleLine(request.form.first("find." + key) ?? "")
        if !isHere || query.isEmpty { return form }
        let rows = try await items.find(titled: query, limit: found)
        var form = form
        form.update { if $0.item?.key == key { $0.item?.add(rows, query, catalog) } }
        return form
    }
}
