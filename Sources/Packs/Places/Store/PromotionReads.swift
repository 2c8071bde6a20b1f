// Reads promotions: of a city, of places, one by one; whether one is current or upcoming is computed on read.
import Domain
import Postgres
import Store

/// Filters promotions; all set fields must match.
package struct PromotionReadFilter: Sendable {
    package enum State: String, Sendable, CaseIterable { case current, upcoming }

    package enum Order: String, Sendable, CaseIterable {
        /// Current ones first, then upcoming ones, each by start.
        case start
        /// Nearest first.
        case distance
    }

    package var city: IDOrSlug?
    /// Of any of these places.
    package var places: [ID<Entry>]?
    /// Of places in any of these categories.
    package var categories: [IDOrSlug] = []
    package var box: GeoBox?
    package var state: State?
    package var order = Order.start
    /// The reader's position. In order of distance the origin defaults to the center of the box, then of the city.
    package var origin: GeoPoint?

    package init() {}
}

package struct PromotionReads: Sendable {
    let connection: StoreConnection

    package init(connection: StoreConnection) {
        self.connection = connection
    }

    /// The state of a promotion as members of a JSON object: current from its start on, before that upcoming with the
    /// seconds until it starts, at least one (B44). Ended promotions are excluded everywhere.
    private static let state: SQL = """
        case when m.starts_at <= now() then '"state":"current"'
            else '"state":"upcoming","time_to_start":' || greatest(1, ceil(extract(epoch from m.starts_at - now())))::bigint end
        """

    /// Joins as `m.promotion` the promotion that a place shows: a current one before upcoming ones, then the earliest
    /// (K16). `place` is a column written in the code.
    static func ofPlace(_ place: SQL) -> SQL {
        """
        left join lateral (
            select '{"id":"' || m.id || '","name":' || to_json(m.name) || ',"starts_at":' || (m.document -> 'starts_at')
                || ',"ends_at":' || (m.document -> 'ends_at') || ',' || \(state) || '}' as promotion
            from api_v1.promotion m where m.place_id = \(place) and m.ends_at > now()
            order by m.starts_at > now(), m.starts_at, m.id limit 1) m on true
        """
    }

    /// Promotions that have not ended, in one of the orders, ties by id (K16, B50, B52).
    package func page(_ filter: PromotionReadFilter, cursor: String?) async throws -> DocumentPage {
        switch filter.order {
        case .start: try await byStart(filter, cursor)
        case .distance: try await byDistance(filter, cursor)
        }
    }

    /// The cursor contains the time of the first page, so that a promotion that starts in between appears exactly once.
    private func byStart(_ filter: PromotionReadFilter, _ cursor: String?) async throws -> DocumentPage {
        let position = try cursor.map { try Cursor(parsing: $0, count: 4) }
        let requestedAt: SQL =
            try position.map { "'epoch'::timestamptz + \(try $0.integer(0)) * interval '1 microsecond'" } ?? "now()"
        var statement: SQL = """
            select m.document, \(Self.state) as state, m.id, a.at as requested_at, (m.starts_at > a.moment)::integer as is_later,
                (extract(epoch from m.starts_at) * 1000000)::bigint as starts, \(Self.chord(from: filter.origin)) as chord
            from (select t.moment, (extract(epoch from t.moment) * 1000000)::bigint as at from (select \(requestedAt) as moment) t) a
            join api_v1.promotion m on m.ends_at > now()
            where true\(Self.conditions(filter, at: "a.moment"))
            """
        if let position {
            let (rank, starts) = (try position.integer(1), try position.integer(2))
            statement += """
                 and ((m.starts_at > a.moment)::integer, (extract(epoch from m.starts_at) * 1000000)::bigint, m.id)
                    > (\(rank)::integer, \(starts)::bigint, \(try position.uuid(3))::uuid)
                """
        }
        statement += " order by is_later, m.starts_at, m.id limit \(fixed: DocumentPage.size + 1)"
        let rows = try await connection.rows(statement)
        return try DocumentPage(promotions: rows, cursor: ["requested_at", "is_later", "starts", "id"])
    }

    /// The cursor contains the origin, like that of places (K19). Without an origin there is no page.
    private func byDistance(_ filter: PromotionReadFilter, _ cursor: String?) async throws -> DocumentPage {
        let position = try cursor.map(DistanceCursor.init)
        let origin = position?.origin ?? filter.origin?.vector ?? filter.box?.center?.vector
        let rows = try await connection.rows(
            """
            with origin as materialized (\(Nearest.origin(origin, city: filter.city)))
            select n.*, \(Nearest.originColumns)
            from origin o cross join lateral (
                select m.document, \(Self.state) as state, m.id, \(Nearest.chord("m.coordinates")) as chord
                from api_v1.promotion m
                where m.ends_at > now()\(Self.conditions(filter, at: "now()"))\(Nearest.after(position, "m.coordinates", "m.id"))
                order by \(Nearest.chord("m.coordinates")) fetch first \(fixed: DocumentPage.size + 1) rows with ties) n
            order by n.chord, n.id limit \(fixed: DocumentPage.size + 1)
            """)
        return try DocumentPage(promotions: rows, cursor: Nearest.cursorColumns)
    }

    /// `at` is the time that decides which ones are current, written in the code.
    private static func conditions(_ filter: PromotionReadFilter, at moment: String) -> SQL {
        var conditions = Nearest.within(filter.box, "m", degrees: "m")
        switch filter.city {
        case .id(let id): conditions += " and m.city_id = \(id)"
        case .slug(let slug): conditions += " and m.city_id = (select c.id from api_v1.city c where c.slug = \(slug))"
        case nil: break
        }
        if let places = filter.places { conditions += " and m.place_id = any(\(places)::uuid[])" }
        if !filter.categories.isEmpty {
            conditions += """
                 and exists (
                    select from api_v1.category_member k
                    where k.member_id = m.place_id and k.category_id = any(array(\(ReadCategories.all(of: filter.categories)))))
                """
        }
        switch filter.state {
        case .current: conditions += " and m.starts_at <= \(raw: moment)"
        case .upcoming: conditions += " and m.starts_at > \(raw: moment)"
        case nil: break
        }
        return conditions
    }

    /// One promotion; an ended one says so.
    package func find(_ idOrSlug: IDOrSlug, from origin: GeoPoint?) async throws -> [UInt8]? {
        let condition: SQL =
            switch idOrSlug {
            case .id(let id): "m.id = \(id)"
            case .slug(let slug): "m.slug = \(slug)"
            }
        let rows = try await connection.rows(
            """
            select m.document, case when m.ends_at <= now() then '"state":"over"' else \(Self.state) end as state,
                \(Self.chord(from: origin)) as chord
            from api_v1.promotion m where \(condition)
            """)
        return rows.isEmpty ? nil : try DocumentPage(promotions: rows, cursor: []).documents
    }

    private static func chord(from origin: GeoPoint?) -> SQL {
        guard let origin else { return "null::double precision" }
        return "m.coordinates operator(public.<->) \(origin.vector.cube)"
    }

    /// The last moment at which a promotion started or ended, in microseconds since 1970 (0: none did), and the seconds
    /// until the next one; nil when there is none.
    func boundaries() async throws -> (last: Int64, wait: Double?) {
        let found = try await connection.first(
            """
            select coalesce((extract(epoch from greatest(
                    (select starts_at from api_v1.promotion where starts_at <= now() order by starts_at desc limit 1),
                    (select ends_at from api_v1.promotion where ends_at <= now() order by ends_at desc limit 1))) * 1000000)::bigint, 0) as last,
                extract(epoch from least(
                    (select starts_at from api_v1.promotion where starts_at > now() order by starts_at limit 1),
                    (select ends_at from api_v1.promotion where ends_at > now() order by ends_at limit 1)) - now())::double precision as wait
            """
        ) { (last: try $0("last") as Int64, wait: try $0("wait") as Double?) }
        return found ?? (0, nil)
    }
}
