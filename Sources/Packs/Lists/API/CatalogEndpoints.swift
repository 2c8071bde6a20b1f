// The catalogs of lists: browse, search and show items, always within one kind (D7).
import API
import Domain
import Store

enum CatalogEndpoints {
    /// `GET /v1/catalog/{kind}`
    static func list(_ read: ReadCall) async throws -> ReadResponse {
        let kind = try kind(read)
        return .page(try await read.reads.catalogs.page(kind, query: read.query["q"], cursor: read.cursor))
    }

    /// `GET /v1/catalog/{kind}/{id}`
    static func find(_ read: ReadCall) async throws -> ReadResponse {
        let kind = try kind(read)
        guard let id = ID<Entry>(read.call.path("id")),
            let document = try await read.reads.catalogs.find(kind, id)
        else { throw Failure.missing("catalog item") }
        return .document(document)
    }

    private static func kind(_ read: ReadCall) throws -> String {
        let kind = read.call.path("kind")
        if let rules = read.call.site.context.packServices.find(CatalogRules.self), rules.kinds[kind] == nil {
            throw Failure.missing("catalog")
        }
        return kind
    }
}
