// Movies and TV series from the TMDB API, version 3: latest, popular, by title (D30).
import Domain
import Localization

struct TMDBAdapter: CatalogAdapter {
    let source = "tmdb"
    let label = "TMDB"
    let needsKey = true
    let kinds: Set = ["movie", "tv"]
    /// The server of images, with a width that suits a phone.
    private static let images = "https://image.tmdb.org/t/p/w780"

    func searches(of kind: String) -> [CatalogSearch] {
        let common = [CatalogSearch.languageField, CatalogSearch.pageField]
        return [
            CatalogSearch("latest", tr("Latest", context: "tmdbadapter"), common),
            CatalogSearch("popular", tr("Popular", context: "tmdbadapter"), common),
            CatalogSearch(
                "title", tr("By title"), [.init("text", tr("Title", context: "tmdbadapter"), .text)] + common),
        ]
    }

    func request(_ search: CatalogQuery, key: String?) -> CatalogRequest {
        let path =
            switch (search.search, search.kind) {
            case ("popular", let kind): "/\(kind)/popular"
            case ("title", let kind): "/search/\(kind)"
            case (_, "tv"): "/tv/on_the_air"
            default: "/movie/now_playing"
            }
        var query = Self.key(key)
        query.append(("language", search["language"] ?? "en-US"))
        query.append(("page", search["page"] ?? "1"))
        if let text = search["text"] {
            query.append(("query", text))
            query.append(("include_adult", "false"))
        }
        return CatalogRequest(path: path, query: query)
    }

    func request(externalID: String, kind: String, key: String?) -> CatalogRequest {
        CatalogRequest(
            path: "/\(kind)/" + CatalogRequest.encoded(externalID), query: Self.key(key) + [("language", "en-US")])
    }

    private static func key(_ key: String?) -> [(name: String, value: String)] { key.map { [("api_key", $0)] } ?? [] }

    /// A list of results, or a single item.
    func read(_ body: [UInt8], _ kind: CatalogKind) throws -> CatalogResults {
        let root = try object(body)
        let items: [JSONValue]
        if case .array(let results) = root["results"] {
            items = results
        } else if root["id"] != nil {
            items = [.object(root)]
        } else {
            throw MalformedResponse(description: tr("The response has no results."))
        }
        return CatalogResults(records: items.prefix(Self.maxRecords).compactMap { record($0, kind) })
    }

    private func record(_ item: JSONValue, _ kind: CatalogKind) -> CatalogRecord? {
        guard let members = item.objectValue, let id = members["id"]?.idText else { return nil }
        let isSeries = kind.name == "tv"
        // A movie has a title, a series has a name: never confuse the two kinds (D7).
        guard let title = members[isSeries ? "name" : "title"]?.stringValue else { return nil }
        var details = DetailBuilder(members)
        _ = (details.remove("id"), details.remove(isSeries ? "name" : "title"))
        details.move(isSeries ? "original_name" : "original_title", as: "original_title")
        details.move(isSeries ? "first_air_date" : "release_date", as: isSeries ? "first_aired" : "released")
        details.move("overview", as: "overview")
        details.move("original_language", as: "language")
        let poster = details.remove("poster_path")?.stringValue
        details.put(poster.map { .string($0.hasPrefix("/") ? Self.images + $0 : $0) }, as: "poster")
        details.move("vote_average", as: "rating")
        details.move("vote_count", as: "ratings")
        if isSeries {
            details.move("number_of_seasons", as: "seasons")
            details.move("number_of_episodes", as: "episodes")
        }
        return CatalogRecord(kind, externalID: id, title: title, details: details.finish())
    }
}
