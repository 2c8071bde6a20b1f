// Restaurants from the Yelp Fusion API, version 3: near a point, by name near a point (D31).
import Domain
import Localization

struct YelpAdapter: CatalogAdapter {
    let source = "yelp"
    let label = "Yelp"
    let needsKey = true
    let kinds: Set = ["restaurant"]

    func searches(of kind: String) -> [CatalogSearch] {
        let point: [CatalogSearch.Field] = [
            .init("lat", tr("Latitude", context: "yelp adapter"), .latitude),
            .init("lon", tr("Longitude", context: "yelp adapter"), .longitude),
        ]
        return [
            CatalogSearch("near", tr("Near a point"), point + [CatalogSearch.pageField]),
            CatalogSearch(
                "name", tr("By name, near a point"),
                [.init("text", tr("Name", context: "yelp adapter"), .text)] + point + [CatalogSearch.pageField]),
        ]
    }

    private static let pageSize = 20

    func request(_ search: CatalogQuery, key: String?) -> CatalogRequest {
        let page = Int(search["page"] ?? "") ?? 1
        var query = [
            (name: "latitude", value: search["lat"] ?? ""), ("longitude", search["lon"] ?? ""),
            ("categories", "restaurants"), ("sort_by", "distance"), ("limit", String(Self.pageSize)),
            ("offset", String((page - 1) * Self.pageSize)),
        ]
        if let text = search["text"] { query.append(("term", text)) }
        return CatalogRequest(path: "/businesses/search", query: query, headers: Self.headers(key))
    }

    func request(externalID: String, kind: String, key: String?) -> CatalogRequest {
        CatalogRequest(
            path: "/businesses/" + CatalogRequest.encoded(externalID), query: [], headers: Self.headers(key))
    }

    private static func headers(_ key: String?) -> [(name: String, value: String)] {
        key.map { [("Authorization", "Bearer " + $0)] } ?? []
    }

    func read(_ body: [UInt8], _ kind: CatalogKind) throws -> CatalogResults {
        let root = try object(body)
        let businesses: [JSONValue]
        if case .array(let found) = root["businesses"] {
            businesses = found
        } else if root["id"] != nil, root["coordinates"] != nil {
            businesses = [.object(root)]
        } else {
            throw MalformedResponse(description: tr("The response has no businesses."))
        }
        let records = businesses.prefix(Self.maxRecords).compactMap { record($0, kind) }
        if records.isEmpty, !businesses.isEmpty {
            throw MalformedResponse(description: tr("No business has the format of version 3."))
        }
        return CatalogResults(records: records)
    }

    private func record(_ business: JSONValue, _ kind: CatalogKind) -> CatalogRecord? {
        guard let members = business.objectValue, let id = members["id"]?.idText,
            let name = members["name"]?.stringValue, case .object(let point) = members["coordinates"]
        else { return nil }
        var details = DetailBuilder(members)
        // The distance is relative to the searched point. The query of Yelp's URL identifies the client.
        for name in ["id", "name", "coordinates", "distance"] { _ = details.remove(name) }
        details.put(point["latitude"], as: "lat")
        details.put(point["longitude"], as: "lon")
        let location = members["location"]
        details.put(location?["display_address"], as: "address")
        details.put(location?["city"], as: "city")
        details.put(details.remove("categories")?.texts("title"), as: "cuisines")
        details.move("display_phone", as: "phone")
        details.move("price", as: "price")
        details.move("rating", as: "rating")
        details.move("review_count", as: "ratings")
        details.move("image_url", as: "image")
        details.move("is_closed", as: "closed")
        let url = details.remove("url")?.stringValue
        details.put(url.map { .string(String($0.prefix { $0 != "?" })) }, as: "url")
        return CatalogRecord(kind, externalID: id, title: name, details: details.finish())
    }
}
