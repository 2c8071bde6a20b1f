// Curated lists, and their items.
import API
import Domain
import Store

enum ListEndpoints {
    private static let path = "/v1/lists/"

    /// `GET /v1/lists`
    static func list(_ read: ReadCall) async throws -> ReadResponse {
        var filter = ListReadFilter()
        filter.owner = read.query["owner"]
        filter.subject = read.query.ids("subject")?.first
        let page = try await read.reads.lists.page(filter, cursor: read.cursor)
        if page.count == 0, let subject = filter.subject, try await !read.reads.catalogs.contains(subject) {
            throw Problem.unknownReference("catalog item", subject.description, in: "subject")
        }
        return .page(page)
    }

    /// `GET /v1/lists/{id_or_slug}`, with `format=text` as `/text`
    static func find(_ read: ReadCall) async throws -> ReadResponse {
        if read.query["format"] == "text" { return try await text(read) }
        if read.query["sort"] != nil {
            throw Failure.invalid(FieldErrors("/query/sort", "alone", "sort requires format=text."))
        }
        if let document = try await read.reads.lists.find(read.idOrSlug) { return .document(document) }
        return try await .elsewhere("list", read.idOrSlug, in: read.reads, path: path, suffix: read.suffix)
    }

    /// `GET /v1/lists/{id_or_slug}/items`
    static func items(_ read: ReadCall) async throws -> ReadResponse {
        let page = try await read.reads.lists.items(of: read.idOrSlug, sort: sort(read), cursor: read.cursor)
        return try await .members(
            page, of: "list", read.idOrSlug, in: read.reads, path: path, suffix: "/items" + read.suffix)
    }

    /// `GET /v1/lists/{id_or_slug}/text`
    static func text(_ read: ReadCall) async throws -> ReadResponse {
        if let text = try await read.reads.lists.text(read.idOrSlug, sort: sort(read)) {
            return .bytes(text, type: APIEndpoint.plainText)
        }
        let rest = read.query["format"] == nil ? "/text" : ""
        return try await .elsewhere("list", read.idOrSlug, in: read.reads, path: path, suffix: rest + read.suffix)
    }

    private static func sort(_ read: ReadCall) -> ListSort {
        read.query["sort"].flatMap(ListSort.init) ?? .position
    }
}
