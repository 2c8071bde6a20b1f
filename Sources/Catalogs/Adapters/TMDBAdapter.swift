// Films and TV series from the TMDB API, version 3: the latest, the popular, by words of the title (D30).
import Domain

struct TMDBAdapter: CatalogAdapter {
    let source = "tmdb"
    let label = "TMDB"
    let needsKey = true

    func searches(of kind: String) -> [CatalogSearch] {
        let common = [CatalogSearch.languageField, CatalogSearch.pageField]
        return [
            CatalogSearch("latest", "The latest", common),
            CatalogSearch("popular", "Popular now", common),
            CatalogSearch("title", "By title", [.init("text", "Words of the title", .words)] + common),
        ]
    }

    func request(_ question: CatalogQuery, key: String?) -> CatalogRequest {
        let path =
            switch (question.search, question.kind) {
            case ("popular", let kind): "/\(kind)/popular"
            case ("title", let kind): "/search/\(kind)"
            case (_, "tv"): "/tv/on_the_air"
            default: "/movie/now_playing"
            }
        var query = Self.key(key)
        query.append(("language", question["language"] ?? "en-US"))
        query.append(("page", question["page"] ?? "1"))
        if let text = question["text"] {
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

    /// A list of results, or one thing by itself.
    func read(_ body: [UInt8], _ kind: CatalogKind) throws -> CatalogReading {
        let root = try object(body)
        let things: [JSONValue]
        if case .array(let results) = root["results"] {
            things = results
        } else if root["id"] != nil {
            things = [.object(root)]
        } else {
            throw MalformedResponse(description: "The answer holds no results.")
        }
        return CatalogReading(records: things.prefix(Self.most).compactMap { record($0, kind) })
    }

    private func record(_ thing: JSONValue, _ kind: CatalogKind) -> CatalogRecord? {
        guard let members = thing.objectValue, let id = members["id"]?.idText else { return nil }
        let isSeries = kind.name == "tv"
        // A film has a title, a series has a name: the other kind is not taken for this one (D7).
        guard let title = members[isSeries ? "name" : "title"]?.stringValue else { return nil }
        var maker = DetailBuilder(members)
        _ = (maker.remove("id"), maker.remove(isSeries ? "name" : "title"))
        maker.take(isSeries ? "original_name" : "original_title", as: "original_title")
        maker.take(isSeries ? "first_air_date" : "release_date", as: isSeries ? "first_aired" : "released")
        maker.take("overview", as: "overview")
        maker.take("original_language", as: "language")
        maker.take("poster_path", as: "poster")
        maker.take("vote_average", as: "rating")
        maker.take("vote_count", as: "ratings")
        if isSeries {
            maker.take("number_of_seasons", as: "seasons")
            maker.take("number_of_episodes", as: "episodes")
        }
        return CatalogRecord(kind, externalID: id, title: title, details: maker.finish())
    }
}
