// Reads places: nearest first, in a box, by their ids, one by one.
import Domain
import Postgres
import Store

/// Filters places; all set fields must match.
package struct PlaceReadFilter: Sendable {
    package var city: IDOrSlug?
    /// Any of these, of either group (B32); empty means all (B33).
    package var categories: [IDOrSlug] = []
    package var box: GeoBox?
    /// The origin of distances; defaults to the center of the box, then to the center of the city.
    package var origin: GeoPoint?
    /// Mean rating, in hundredths; only places with at least this one.
    package var minRating: Int64?
    package var sort = PlaceSort.distance
    /// Up to this many places of a category, or that match a filter, are all compared.
    package var maxCompared = FewOrMany.most

    package init() {}
}

package enum PlaceSort: String, Sendable, CaseIterable {
    case distance, rating
}

/// A page of places, or suggestions when it is empty.
package struct PlacePage: Sendable {
    package let page: DocumentPage
    /// Only for an empty first page: the nearest places of any category and city (B38, B41).
    package let closest: DocumentPage
    /// Their coordinates.
    package let closestPoints: [GeoPoint]
    /// False when the requested city does not exist; everything else is empty then.
    package let hasCity: Bool
}

package struct PlaceReads: Sendable {
    let connection: StoreConnection

    package init(connection: StoreConnection) {
        self.connection = connection
    }

    /// By distance, then by id (B25). The cursor contains the origin, the last distance and the last id (K19), so that
    /// pages continue from the same origin while the reader moves. By rating: the highest mean first, then the most
    /// reviews, then by id.
    package func page(
        _ filter: PlaceReadFilter, _ language: ReadLanguage, cursor: String?
    ) async throws -> PlacePage {
        let query = try PlaceQuery(filter: filter, cursor: cursor)
        let rows = try await connection.rows(query.statement(language))
        let found = try rows.filter { try $0("part") as String? == "page" }
        let closest = try rows.filter { try $0("part") as String? == "closest" }
        return PlacePage(
            page: try DocumentPage(places: found, cursor: query.cursorColumns),
            closest: try DocumentPage(places: closest, cursor: []),
            closestPoints: try closest.compactMap { GeoPoint(lat: try $0("lat"), lon: try $0("lon")) },
            hasCity: try filter.city == nil || rows.first.map { try $0("city_id") as String? != nil } ?? false)
    }

    /// The places with these ids in this order, and the ids that do not exist (any more) (B23).
    package func set(
        _ ids: [ID<Entry>], from origin: GeoPoint?, _ language: ReadLanguage
    ) async throws -> (page: DocumentPage, missing: [ID<Entry>]) {
        let rows = try await connection.rows(
            """
            select a.id, \(language.document(withCategories: "p.document")) as document, p.id is null as is_missing, \(Self.chord(from: origin)) as chord, m.promotion
            from unnest(\(ids)::uuid[]) with ordinality a (id, n) left join api_v1.place p on p.id = a.id
            \(PromotionReads.ofPlace("p.id"))
            order by a.n
            """)
        let missing = try rows.filter { try $0("is_missing") }.map { try $0("id") as ID<Entry> }
        let found = try rows.filter { !(try $0("is_missing")) }
        return (try DocumentPage(places: found, cursor: []), missing)
    }

    /// The ids of which there is no place (any more), in this order.
    package func missing(among ids: [ID<Entry>]) async throws -> [ID<Entry>] {
        try await connection.rows(
            """
            select a.id from unnest(\(ids)::uuid[]) with ordinality a (id, n)
            where not exists (select from api_v1.place p where p.id = a.id) order by a.n
            """
        ) { try $0("id") }
    }

    /// One place, with its distance when there is an origin.
    package func find(
        _ idOrSlug: IDOrSlug, from origin: GeoPoint?, _ language: ReadLanguage
    ) async throws -> [UInt8]? {
        let condition: SQL =
            switch idOrSlug {
            case .id(let id): "p.id = \(id)"
            case .slug(let slug): "p.slug = \(slug)"
            }
        let rows = try await connection.rows(
            """
            select \(language.document(withCategories: "p.document")) as document, \(Self.chord(from: origin)) as chord,
                m.promotion
            from api_v1.place p \(PromotionReads.ofPlace("p.id")) where \(condition)
            """)
        return rows.isEmpty ? nil : try DocumentPage(places: rows, cursor: []).documents
    }

    private static func chord(from origin: GeoPoint?) -> SQL {
        guard let origin else { return "null::double precision" }
        return "p.coordinates operator(public.<->) \(origin.vector.cube)"
    }
}
