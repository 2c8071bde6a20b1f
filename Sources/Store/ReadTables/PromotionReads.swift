// Reads promotions: of a city, of places, one by one; whether one is current or upcoming is computed on read.
import Domain
import Postgres

/// Which promotions are listed.
package enum PromotionReadFilter: Sendable {
    case all
    case city(IDOrSlug)
    case places([ID<Entry>])
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

    /// Promotions that have not ended: current ones first, then upcoming ones, each by start, then by id (K16, B52).
    /// The cursor contains the time of the first page, so that a promotion that starts in between appears exactly once.
    package func page(_ filter: PromotionReadFilter, from origin: GeoPoint?, cursor: String?) async throws
        -> DocumentPage
    {
        let position = try cursor.map { try Cursor(parsing: $0, count: 4) }
        let requestedAt: SQL =
            try position.map { "'epoch'::timestamptz + \(try $0.integer(0)) * interval '1 microsecond'" } ?? "now()"
        var statement: SQL = """
            select m.document, \(Self.state) as state, m.id, a.at as requested_at, (m.starts_at > a.moment)::integer as is_later,
                (extract(epoch from m.starts_at) * 1000000)::bigint as starts, \(Self.chord(from: origin)) as chord
            from (select t.moment, (extract(epoch from t.moment) * 1000000)::bigint as at from (select \(requestedAt) as moment) t) a
            join api_v1.promotion m on m.ends_at > now()
            where \(Self.condition(filter))
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

    private static func condition(_ filter: PromotionReadFilter) -> SQL {
        switch filter {
        case .all: "true"
        case .city(.id(let id)): "m.city_id = \(id)"
        case .city(.slug(let slug)): "m.city_id = (select c.id from api_v1.city c where c.slug = \(slug))"
        case .places(let ids): "m.place_id = any(\(ids)::uuid[])"
        }
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
        return "m.coordinates operator(public.<->) \(PlaceReads.cube(origin.vector))"
    }

    /// The last moment at which a promotion started or ended, in microseconds since 1970 (0: none did), and the seconds
    /// until the next one; nil when there is none.
    func boundaries() async throws -> (last: Int64, wait: Double?) {
        let found = try await connection.first(
            """
            select coalesce((extract(epoch from greatest(
                    (select max(starts_at) from api_v1.promotion where starts_at <= now()),
                    (select max(ends_at) from api_v1.promotion where ends_at <= now()))) * 1000000)::bigint, 0) as last,
                extract(epoch from least(
                    (select min(starts_at) from api_v1.promotion where starts_at > now()),
                    (select min(ends_at) from api_v1.promotion where ends_at > now())) - now())::double precision as wait
            """
        ) { (last: try $0("last") as Int64, wait: try $0("wait") as Double?) }
        return found ?? (0, nil)
    }
}
