// What a pack with catalogs adds to the form of an entry: the search for the items of its fields.
import Domain
import HTTP

package protocol EntryCatalog: Sendable {
    /// The label of a catalog: "Film".
    func label(of kind: String) -> String
    /// Whether a search was requested; then nothing is saved.
    func isSearching(_ form: FormFields) -> Bool
    /// The model of `admin/entries/catalog-search`; nil for content types without catalog items. Runs the search when it was
    /// requested. `chosen` are the ids of the selected items.
    func panel(
        _ request: AdminRequest, _ type: ContentType, action: String, chosen: Set<String>
    ) async throws -> (any Encodable & Sendable)?
}

/// A model whose type only its pack knows.
struct PanelModel: Encodable, Sendable {
    let model: any Encodable & Sendable

    func encode(to encoder: any Encoder) throws { try model.encode(to: encoder) }
}
