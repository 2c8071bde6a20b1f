// Books from the Google Books API, version 1: by words of the title, by subject (D29).
import Domain

struct GoogleBooksAdapter: CatalogAdapter {
    let source = "google_books"
    let label = "Google Books"
    let needsKey = false

    func searches(of kind: String) -> [CatalogSearch] {
        [
            CatalogSearch(
                "title", "By title",
                [.init("text", "Words of the title", .words), CatalogSearch.languageField, CatalogSearch.pageField]),
            CatalogSearch(
                "subject", "By subject",
                [.init("text", "Subject", .words), CatalogSearch.languageField, CatalogSearch.pageField]),
        ]
    }

    private static let pageSize = 20

    func request(_ question: CatalogQuery, key: String?) -> CatalogRequest {
        let field = question.search == "subject" ? "subject" : "intitle"
        let page = Int(question["page"] ?? "") ?? 1
        var query = [
            (name: "q", value: "\(field):\(question["text"] ?? "")"), ("maxResults", String(Self.pageSize)),
            ("startIndex", String((page - 1) * Self.pageSize)), ("printType", "books"),
        ]
        if let language = question["language"] { query.append(("langRestrict", String(language.prefix(2)))) }
        if let key { query.append(("key", key)) }
        return CatalogRequest(path: "/volumes", query: query)
    }

    func request(externalID: String, kind: String, key: String?) -> CatalogRequest {
        CatalogRequest(
            path: "/volumes/" + CatalogRequest.encoded(externalID), query: key.map { [("key", $0)] } ?? [])
    }

    func read(_ body: [UInt8], _ kind: CatalogKind) throws -> CatalogReading {
        let root = try object(body)
        let volumes: [JSONValue]
        switch (root["kind"]?.stringValue, root["items"]) {
        case ("books#volumes", .array(let items)): volumes = items
        case ("books#volumes", nil): volumes = []
        case ("books#volume", _): volumes = [.object(root)]
        default: throw MalformedResponse(description: "The answer holds no volumes.")
        }
        return CatalogReading(records: volumes.prefix(Self.most).compactMap { record($0, kind) })
    }

    private func record(_ volume: JSONValue, _ kind: CatalogKind) -> CatalogRecord? {
        guard var outer = volume.objectValue, let id = outer["id"]?.idText,
            let info = outer.removeValue(forKey: "volumeInfo")?.objectValue, let title = info["title"]?.stringValue
        else { return nil }
        // What says how this answer was made is not said of the book.
        for name in ["etag", "kind", "selfLink", "searchInfo"] { outer[name] = nil }
        var maker = DetailBuilder(outer.merging(info) { _, inner in inner })
        maker.take("publishedDate", as: "published")
        maker.take("pageCount", as: "pages")
        maker.take("categories", as: "subjects")
        maker.take("language", as: "language")
        let numbers = maker.remove("industryIdentifiers")
        let isbns = (numbers?.arrayValue ?? []).filter { $0["type"]?.stringValue?.hasPrefix("ISBN") == true }
        maker.put(isbns.max { Self.length($0) < Self.length($1) }?["identifier"], as: "isbn")
        let links = maker.remove("imageLinks")
        maker.put(links?["thumbnail"] ?? links?["smallThumbnail"], as: "cover")
        return CatalogRecord(kind, externalID: id, title: title, details: maker.finish())
    }

    private static func length(_ identifier: JSONValue) -> Int {
        identifier["identifier"]?.stringValue?.utf8.count ?? 0
    }
}
