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

    package init() {}
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
    /// pages continue from the same origin while the reader moves.
    package func near(_ filter: PlaceReadFilter, cursor: String?) async throws -> PlacePage {
        let position = try cursor.map(DistanceCursor.init)
        let rows = try await connection.rows(Self.statement(filter, position))
        let found = try rows.filter { try $0("part") as String? == "page" }
        let closest = try rows.filter { try $0("part") as String? == "closest" }
        return PlacePage(
            page: try DocumentPage(places: found, cursor: Nearest.cursorColumns),
            closest: try DocumentPage(places: closest, cursor: []),
            closestPoints: try closest.compactMap { GeoPoint(lat: try $0("lat"), lon: try $0("lon")) },
            hasCity: try filter.city == nil || rows.first.map { try $0("city_id") as String? != nil } ?? false)
    }

    private static func statement(_ filter: PlaceReadFilter, _ cursor: DistanceCursor?) -> SQL {
        """
        with origin as materialized (
            select o.*, coalesce(\(searched(filter)), o.coordinates) as searched from (\(origin(filter, cursor))) o),
        \(closestSettings),
        page as materialized (\(filter.categories.isEmpty ? page(filter, cursor) : pageOfCategories(filter, cursor))),
        closest as (
            select p.id, p.document, p.lat, p.lon, \(Nearest.chord("p.coordinates")) as chord,
                p.coordinates operator(public.<->) (select searched from origin) as near
            from api_v1.place p where \(cursor == nil) and not exists (select from page)
              and (not (select in_city from closest_settings) or p.city_id = (select city_id from origin))
            order by p.coordinates operator(public.<->) (select searched from origin)
            fetch first (select count from closest_settings) rows with ties),
        found as (
            (select 'page' as part, *, chord as near from page order by chord, id limit \(fixed: DocumentPage.size + 1))
            union all
            (select 'closest', * from closest order by near, id limit (select count from closest_settings)))
        select f.part, f.id, f.document, f.lat, f.lon, f.chord, o.city_id, \(Nearest.originColumns), m.promotion
        from origin o left join found f on true
        \(PromotionReads.ofPlace("f.id"))
        order by f.part desc, f.near, f.id
        """
    }

    /// One row more than a page, plus all ties with the last one.
    private static func page(_ filter: PlaceReadFilter, _ cursor: DistanceCursor?) -> SQL {
        let city: SQL = filter.city == nil ? .empty : " and p.city_id = (select city_id from origin)"
        return """
            select p.id, p.document, p.lat, p.lon, \(Nearest.chord("p.coordinates")) as chord
            from api_v1.place p
            where true\(city)\(Nearest.within(filter.box, "p", degrees: "p"))\(Nearest.after(cursor, "p.coordinates", "p.id"))
            order by \(Nearest.chord("p.coordinates"))
            fetch first \(fixed: DocumentPage.size + 1) rows with ties
            """
    }

    /// Up to this many places of a category are all compared.
    private static let maxComparedPlaces = 20_000

    /// The same for any of the categories: reads the nearest places of each category by its own index and merges them.
    /// The requested category may be rare or far away; scanning all places until enough are found would take as long as
    /// there are places. The index of coordinates passes over places of other categories, the more of them the rarer
    /// the category is: for a category with few places, counted by its cities, all are compared instead.
    private static func pageOfCategories(_ filter: PlaceReadFilter, _ cursor: DistanceCursor?) -> SQL {
        let city: SQL = filter.city == nil ? .empty : " and k.city_id = (select city_id from origin)"
        let degrees: SQL = filter.box == nil ? .empty : " join api_v1.place p on p.id = k.member_id"
        let members: SQL = """
            select k.member_id, \(Nearest.chord("k.coordinates")) as chord
            from api_v1.category_member k\(degrees)
            where k.coordinates is not null and k.category_id = c.id\(city)\(Nearest.within(filter.box, "k", degrees: "p"))
                \(Nearest.after(cursor, "k.coordinates", "k.member_id"))
            """
        let first: SQL = "fetch first \(fixed: DocumentPage.size + 1) rows with ties"
        return """
            select p.id, p.document, p.lat, p.lon, n.chord
            from (
                select distinct k.member_id, k.chord
                from (\(ReadCategories.all(of: filter.categories))) c
                cross join lateral (
                    select coalesce(sum(n.place_count), 0) <= \(raw: "\(maxComparedPlaces)") as are
                    from api_v1.category_city_count n where n.category_id = c.id) few
                cross join lateral (
                    (select a.member_id, a.chord from (\(members) offset 0) a where few.are order by a.chord \(first))
                    union all
                    (\(members) and not few.are order by \(Nearest.chord("k.coordinates")) \(first))) k
                order by k.chord, k.member_id limit \(fixed: DocumentPage.size + 1)) n
            join api_v1.place p on p.id = n.member_id
            """
    }

    /// How many suggestions are shown when nothing matches, and whether only from the requested city (K9): the settings
    /// `closest.count` and `closest.scope`; 5 and everywhere when they are not live.
    private static let closestSettings: SQL = """
        closest_settings as materialized (
            select coalesce((select (value #>> '{}')::integer from api_v1.setting where key = 'closest.count'), 5) as count,
                coalesce((select value #>> '{}' = 'city' from api_v1.setting where key = 'closest.scope'), false)
                    and (select city_id from origin) is not null as in_city)
        """

    private static func origin(_ filter: PlaceReadFilter, _ cursor: DistanceCursor?) -> SQL {
        Nearest.origin(cursor?.origin ?? filter.origin?.vector ?? filter.box?.center?.vector, city: filter.city)
    }

    /// Suggestions are the closest to the searched point: the center of the box, wherever the reader is (B41); null for the
    /// origin.
    private static func searched(_ filter: PlaceReadFilter) -> SQL {
        filter.box?.center.map { $0.vector.cube } ?? "null::public.cube"
    }

    /// The places with these ids in this order, and the ids that do not exist (any more) (B23).
    package func set(_ ids: [ID<Entry>], from origin: GeoPoint?) async throws -> (
        page: DocumentPage, missing: [ID<Entry>]
    ) {
        let rows = try await connection.rows(
            """
            select a.id, p.document, p.id is null as is_missing, \(Self.chord(from: origin)) as chord, m.promotion
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
    package func find(_ idOrSlug: IDOrSlug, from origin: GeoPoint?) async throws -> [UInt8]? {
        let condition: SQL =
            switch idOrSlug {
            case .id(let id): "p.id = \(id)"
            case .slug(let slug): "p.slug = \(slug)"
            }
        let rows = try await connection.rows(
            """
            select p.document, \(Self.chord(from: origin)) as chord, m.promotion
            from api_v1.place p \(PromotionReads.ofPlace("p.id")) where \(condition)
            """)
        return rows.isEmpty ? nil : try DocumentPage(places: rows, cursor: []).documents
    }

    private static func chord(from origin: GeoPoint?) -> SQL {
        guard let origin else { return "null::double precision" }
        return "p.coordinates operator(public.<->) \(origin.vector.cube)"
    }
}
