// The catalogues that lists are made of: browsed, searched, one thing at a time; always within one kind (D7).
import Domain
import Store

enum CatalogueEndpoints {
    /// `GET /v1/catalogue/{kind}`
    static func list(_ read: ReadCall) async throws -> ReadAnswer {
        let kind = try kind(read)
        return .page(try await read.reads.catalogues.page(kind, words: read.query["q"], cursor: read.cursor))
    }

    /// `GET /v1/catalogue/{kind}/{id}`
    static func find(_ read: ReadCall) async throws -> ReadAnswer {
        let kind = try kind(read)
        guard let id = ID<Entry>(read.call.path("id")),
            let document = try await read.reads.catalogues.find(kind, id)
        else { throw Failure.missing("catalogue item") }
        return .document(document)
    }

    private static func kind(_ read: ReadCall) throws -> String {
        let kind = read.call.path("kind")
        if read.call.site.context.catalogues?.contains(kind) == false { throw Failure.missing("catalogue") }
        return kind
    }
}
