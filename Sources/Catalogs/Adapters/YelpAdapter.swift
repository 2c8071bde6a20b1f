// Restaurants from the Yelp Fusion API, version 3: near a point, and by words near a point (D31).
import Domain

struct YelpAdapter: CatalogAdapter {
    let source = "yelp"
    let label = "Yelp"
    let needsKey = true

    func searches(of kind: String) -> [CatalogSearch] {
        let point: [CatalogSearch.Field] = [
            .init("lat", "Latitude", .latitude), .init("lon", "Longitude", .longitude),
        ]
        return [
            CatalogSearch("near", "Near a point", point + [CatalogSearch.pageField]),
            CatalogSearch(
                "name", "By name, near a point",
                [.init("text", "Words of the name", .words)] + point + [CatalogSearch.pageField]),
        ]
    }

    private static let pageSize = 20

    func request(_ question: CatalogQuery, key: String?) -> CatalogRequest {
        let page = Int(question["page"] ?? "") ?? 1
        var query = [
            (name: "latitude", value: question["lat"] ?? ""), ("longitude", question["lon"] ?? ""),
            ("categories", "restaurants"), ("sort_by", "distance"), ("limit", String(Self.pageSize)),
            ("offset", String((page - 1) * Self.pageSize)),
        ]
        if let text = question["text"] { query.append(("term", text)) }
        return CatalogRequest(path: "/businesses/search", query: query, headers: Self.headers(key))
    }

    func request(externalID: String, kind: String, key: String?) -> CatalogRequest {
        CatalogRequest(
            path: "/businesses/" + CatalogRequest.encoded(externalID), query: [], headers: Self.headers(key))
    }

    private static func headers(_ key: String?) -> [(name: String, value: String)] {
        key.map { [("Authorization", "Bearer " + $0)] } ?? []
    }

    func read(_ body: [UInt8], _ kind: CatalogKind) throws -> CatalogReading {
        let root = try object(body)
        let businesses: [JSONValue]
        if case .array(let found) = root["businesses"] {
            businesses = found
        } else if root["id"] != nil, root["coordinates"] != nil {
            businesses = [.object(root)]
        } else {
            throw MalformedResponse(description: "The answer holds no businesses.")
        }
        let records = businesses.prefix(Self.most).compactMap { record($0, kind) }
        if records.isEmpty, !businesses.isEmpty {
            throw MalformedResponse(description: "None of the businesses has the form of version 3.")
        }
        return CatalogReading(records: records)
    }

    private func record(_ business: JSONValue, _ kind: CatalogKind) -> CatalogRecord? {
        guard let members = business.objectValue, let id = members["id"]?.idText,
            let name = members["name"]?.stringValue, case .object(let point) = members["coordinates"]
        else { return nil }
        var maker = DetailBuilder(members)
        // The distance is from where was asked, not of the restaurant; an address at Yelp carries who asked.
        for name in ["id", "name", "coordinates", "distance"] { _ = maker.remove(name) }
        maker.put(point["latitude"], as: "lat")
        maker.put(point["longitude"], as: "lon")
        let location = members["location"]
        maker.put(location?["display_address"], as: "address")
        maker.put(location?["city"], as: "city")
        maker.put(maker.remove("categories")?.texts("title"), as: "cuisines")
        maker.take("display_phone", as: "phone")
        maker.take("price", as: "price")
        maker.take("rating", as: "rating")
        maker.take("review_count", as: "ratings")
        maker.take("image_url", as: "image")
        maker.take("is_closed", as: "closed")
        let url = maker.remove("url")?.stringValue
        maker.put(url.map { .string(String($0.prefix { $0 != "?" })) }, as: "url")
        return CatalogRecord(kind, externalID: id, title: name, details: maker.finish())
    }
}
