// Books from the Google Books API, version 1: by title, by subject (D29).
import Domain
import Localization

struct GoogleBooksAdapter: CatalogAdapter {
    let source = "google_books"
    let label = "Google Books"
    let needsKey = false
    let kinds: Set = ["book"]

    func searches(of kind: String) -> [CatalogSearch] {
        [
            CatalogSearch(
                "title", tr("By title"),
                [
                    .init("text", tr("Title", context: "google books adapter"), .text), CatalogSearch.languageField,
                    CatalogSearch.pageField,
                ]),
            CatalogSearch(
                "subject", tr("By subject"),
                [
                    .init("text", tr("Subject", context: "google books adapter"), .text), CatalogSearch.languageField,
                    CatalogSearch.pageField,
                ]),
        ]
    }

    private static let pageSize = 20

    func request(_ search: CatalogQuery, key: String?) -> CatalogRequest {
        let field = search.search == "subject" ? "subject" : "intitle"
        let page = Int(search["page"] ?? "") ?? 1
        var query = [
            (name: "q", value: "\(field):\(search["text"] ?? "")"), ("maxResults", String(Self.pageSize)),
            ("startIndex", String((page - 1) * Self.pageSize)), ("printType", "books"),
        ]
        if let language = search["language"] { query.append(("langRestrict", String(language.prefix(2)))) }
        if let key { query.append(("key", key)) }
        return CatalogRequest(path: "/volumes", query: query)
    }

    func request(externalID: String, kind: String, key: String?) -> CatalogRequest {
        CatalogRequest(
            path: "/volumes/" + CatalogRequest.encoded(externalID), query: key.map { [("key", $0)] } ?? [])
    }

    func read(_ body: [UInt8], _ kind: CatalogKind) throws -> CatalogResults {
        let root = try object(body)
        let volumes: [JSONValue]
        switch (root["kind"]?.stringValue, root["items"]) {
        case ("books#volumes", .array(let items)): volumes = items
        case ("books#volumes", nil): volumes = []
        case ("books#volume", _): volumes = [.object(root)]
        default: throw MalformedResponse(description: tr("The response has no volumes."))
        }
        return CatalogResults(records: volumes.prefix(Self.maxRecords).compactMap { record($0, kind) })
    }

    private func record(_ volume: JSONValue, _ kind: CatalogKind) -> CatalogRecord? {
        guard var outer = volume.objectValue, let id = outer["id"]?.idText,
            let info = outer.removeValue(forKey: "volumeInfo")?.objectValue, let title = info["title"]?.stringValue
        else { return nil }
        // Metadata of the response, not of the book.
        for name in ["etag", "kind", "selfLink", "searchInfo"] { outer[name] = nil }
        var details = DetailBuilder(outer.merging(info) { _, inner in inner })
        details.move("publishedDate", as: "published")
        details.move("pageCount", as: "pages")
        details.move("categories", as: "subjects")
        details.move("language", as: "language")
        let numbers = details.remove("industryIdentifiers")
        let isbns = (numbers?.arrayValue ?? []).filter { $0["type"]?.stringValue?.hasPrefix("ISBN") == true }
        details.put(isbns.max { Self.length($0) < Self.length($1) }?["identifier"], as: "isbn")
        let links = details.remove("imageLinks")
        details.put(links?["thumbnail"] ?? links?["smallThumbnail"], as: "cover")
        return CatalogRecord(kind, externalID: id, title: title, details: details.finish())
    }

    private static func length(_ identifier: JSONValue) -> Int {
        identifier["identifier"]?.stringValue?.utf8.count ?? 0
    }
}
