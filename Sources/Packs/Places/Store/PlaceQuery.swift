// The query of lists of places, nearest first or by rating: one page from indexes, however many places there are.
import Domain
import Postgres
import Store

struct PlaceQuery {
    let filter: PlaceReadFilter
    /// The last place of the page before, by distance.
    private let nearest: DistanceCursor?
    /// The same by rating.
    private let rated: RatingCursor?

    init(filter: PlaceReadFilter, cursor: String?) throws(Failure) {
        self.filter = filter
        let isByRating = filter.sort == .rating
        if let cursor {
            nearest = isByRating ? nil : try DistanceCursor(cursor)
            rated = isByRating ? try RatingCursor(cursor) : nil
        } else {
            (nearest, rated) = (nil, nil)
        }
    }

    var cursorColumns: [String] { filter.sort == .rating ? ["rank", "id"] : Nearest.cursorColumns }

    func statement(_ language: ReadLanguage) -> SQL {
        """
        with origin as materialized (
            select o.*, coalesce(\(searched), o.coordinates) as searched from (\(origin)) o),
        \(Self.closestSettings),
        page as materialized (\(page)),
        closest as (
            select p.id, p.document, p.lat, p.lon, \(Nearest.chord("p.coordinates")) as chord, p.rating_rank as rank,
                p.coordinates operator(public.<->) (select searched from origin) as near
            from api_v1.place p where \(nearest == nil && rated == nil) and not exists (select from page)
              and (select searched from origin) is not null
              and (not (select in_city from closest_settings) or p.city_id = (select city_id from origin))
            order by p.coordinates operator(public.<->) (select searched from origin)
            fetch first (select count from closest_settings) rows with ties),
        found as (
            (select 'page' as part, *, \(order) as near from page order by \(order), id limit \(fixed: DocumentPage.size + 1))
            union all
            (select 'closest', * from closest order by near, id limit (select count from closest_settings)))
        select f.part, f.id, \(language.document(withCategories: "f.document")) as document, f.lat, f.lon, f.chord, f.rank,
            o.city_id, \(Nearest.originColumns), m.promotion
        from origin o left join found f on true
        \(PromotionReads.ofPlace("f.id"))
        order by f.part desc, f.near, f.id
        """
    }

    /// What the order compares, of `page`.
    private var order: SQL { filter.sort == .rating ? "rank::double precision" : "chord" }

    private var page: SQL {
        switch (filter.sort, filter.categories.isEmpty, filter.minRating) {
        case (.distance, true, nil): pageByDistance
        case (.distance, false, nil): pageOfCategories
        case (.rating, true, _) where filter.box == nil: pageByRating(where: .empty)
        default: fewOrMany
        }
    }

    private static let limit: SQL = "fetch first \(fixed: DocumentPage.size + 1) rows"

    private func columns(_ from: SQL) -> SQL {
        """
        select p.id, p.document, p.lat, p.lon, \(Nearest.chord("p.coordinates")) as chord, p.rating_rank as rank from \(from) p
        """
    }

    private var inCity: SQL { filter.city == nil ? .empty : " and p.city_id = (select city_id from origin)" }

    private var minRated: SQL {
        filter.minRating.map { " and p.rating_rank <= \(RatingCursor.rank(ofHundredths: $0))::bigint" } ?? .empty
    }

    /// One row more than a page, plus all ties with the last one.
    private var pageByDistance: SQL {
        """
        \(columns("api_v1.place")) where true\(inCity)\(Nearest.within(filter.box, "p", degrees: "p"))\(Nearest.after(nearest, "p.coordinates", "p.id"))
        order by \(Nearest.chord("p.coordinates")) \(Self.limit) with ties
        """
    }

    private func pageByRating(where condition: SQL) -> SQL {
        """
        \(columns("api_v1.place")) where true\(inCity)\(minRated)\(condition)\(afterRated)
        order by p.rating_rank, p.id \(Self.limit) only
        """
    }

    private var afterRated: SQL {
        rated.map { " and (p.rating_rank, p.id) > (\($0.rank)::bigint, \($0.id)::uuid)" } ?? .empty
    }

    /// Combinations of filters and an order that no index has.
    private var fewOrMany: SQL {
        let (box, chosen): (SQL, SQL) = (
            Nearest.within(filter.box, "p", degrees: "p"),
            filter.categories.isEmpty ? .empty : ReadCategories.all(of: filter.categories)
        )
        let condition: SQL =
            box + (chosen.isEmpty ? .empty : " and p.category_ids && array(select c.id from (\(chosen)) c)")
        let unindexed: SQL =
            Nearest.withinDegrees(filter.box, "p")
            + (chosen.isEmpty
                ? .empty
                : " and exists (select from unnest(p.category_ids) k (id) where k.id in (select c.id from (\(chosen)) c))")
        let after = filter.sort == .rating ? afterRated : Nearest.after(nearest, "p.coordinates", "p.id")
        let many: SQL =
            filter.sort == .rating
            ? pageByRating(where: unindexed + " and " + FewOrMany.areMany)
            : """
            \(columns("api_v1.place")) where \(FewOrMany.areMany)\(inCity)\(minRated)\(unindexed)\(after)
            order by \(Nearest.chord("p.coordinates")) \(Self.limit) with ties
            """
        let order: SQL = filter.sort == .rating ? "p.rating_rank, p.id" : Nearest.chord("p.coordinates")
        let few: SQL = """
            (select p.id from few p where \(FewOrMany.areFew)\(after)
             order by \(order) \(Self.limit) with ties) f join api_v1.place
            """
        return FewOrMany.query(
            with: """
                few as materialized (
                    select p.id, p.coordinates, p.rating_rank from api_v1.place p
                    where true\(inCity)\(minRated)\(condition) limit \(fixed: filter.maxCompared + 1))
                """,
            count: "select count(*) from few", most: filter.maxCompared,
            few: "\(columns(few)) on p.id = f.id", many: many)
    }

    /// The same for any of the categories: reads the nearest places of each category by its own index and merges them.
    /// The requested category may be rare or far away; scanning all places until enough are found would take as long as
    /// there are places. The index of coordinates passes over places of other categories, the more of them the rarer
    /// the category is: for a category with few places, counted by its cities, all are compared instead.
    private var pageOfCategories: SQL {
        let city: SQL = filter.city == nil ? .empty : " and k.city_id = (select city_id from origin)"
        let degrees: SQL = filter.box == nil ? .empty : " join api_v1.place p on p.id = k.member_id"
        let members: SQL = """
            select k.member_id, \(Nearest.chord("k.coordinates")) as chord
            from api_v1.category_member k\(degrees)
            where k.coordinates is not null and k.category_id = c.id\(city)\(Nearest.within(filter.box, "k", degrees: "p"))
                \(Nearest.after(nearest, "k.coordinates", "k.member_id"))
            """
        return """
            select p.id, p.document, p.lat, p.lon, n.chord, p.rating_rank as rank
            from (
                select distinct k.member_id, k.chord
                from (\(ReadCategories.all(of: filter.categories))) c
                cross join lateral (
                    select coalesce(sum(n.place_count), 0) <= \(fixed: filter.maxCompared) as are
                    from api_v1.category_city_count n where n.category_id = c.id) few
                cross join lateral (
                    (select a.member_id, a.chord from (\(members) offset 0) a where few.are order by a.chord \(Self.limit) with ties)
                    union all
                    (\(members) and not few.are order by \(Nearest.chord("k.coordinates")) \(Self.limit) with ties)) k
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

    private var origin: SQL {
        Nearest.origin(nearest?.origin ?? filter.origin?.vector ?? filter.box?.center?.vector, city: filter.city)
    }

    /// Suggestions are the closest to the searched point: the center of the box, wherever the reader is (B41); null for the
    /// origin.
    private var searched: SQL { filter.box?.center.map { $0.vector.cube } ?? "null::public.cube" }
}

/// A cursor in a list by rating.
private struct RatingCursor {
    let rank: Int64
    let id: ID<Entry>

    init(_ text: String) throws(Failure) {
        let cursor = try Cursor(parsing: text, count: 2)
        rank = try cursor.integer(0)
        id = ID(try cursor.uuid(1))
    }

    /// The greatest rank of places with this mean, in hundredths: `Projections/place.sql`.
    static func rank(ofHundredths mean: Int64) -> Int64 { -mean * 1_000_000_000 }
}
