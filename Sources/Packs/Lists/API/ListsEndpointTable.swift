// The endpoints of the pack lists.
import API
import Store

extension Pack {
    static let apiEndpoints: [APIEndpoint] = [
        .read(
            "/v1/lists", .read, .preview, "List curated lists, most recently changed first",
            query: [.cursor, .owner, .subject], keeping: .untilChange(["list"]), ListEndpoints.list),
        .read(
            "/v1/lists/{id_or_slug}", .read, .preview, "Show a list", query: [.format, .sort],
            keeping: .untilChange(["list", "list_item"]), ListEndpoints.find),
        .read(
            "/v1/lists/{id_or_slug}/items", .read, .preview, "List the items of a list", query: [.cursor, .sort],
            keeping: .untilChange(["list", "list_item"]), ListEndpoints.items),
        .read(
            "/v1/lists/{id_or_slug}/text", .read, .preview, "Show a list as plain text for sharing", query: [.sort],
            keeping: .untilChange(["list", "list_item"]), type: APIEndpoint.plainText, ListEndpoints.text),
        .read(
            "/v1/catalog/{kind}", .read, .preview, "List items of a catalog by title", query: [.cursor, .q],
            CatalogEndpoints.list),
        .read(
            "/v1/catalog/{kind}/{id}", .read, .preview, "Show a catalog item", CatalogEndpoints.find),
    ]
}
