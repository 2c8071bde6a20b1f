// Resolves an id or slug to what is published, to its new slug, or to a removed entry (A19, A33).
import Domain
import Postgres

/// What an id or slug resolves to.
package struct ResolvedURL: Sendable {
    package enum State: String, Sendable, PostgresDecodable {
        case live
        /// The slug was changed, or the category was merged: `slug` is the new one.
        case moved
        /// It was published in the past.
        case gone
    }

    package let state: State
    /// One of `PackSet.resolved`.
    package let kind: String
    package let type: String?
    package let id: ID<Entry>
    package let slug: String?
    /// For a removed entry: the publication that unpublished it, and its time (RFC 3339).
    package let publication: Int64?
    package let goneAt: String?

    init(row: Row) throws {
        state = try row("state")
        kind = try row("kind")
        type = try row("type")
        id = try row("id")
        slug = try row("slug")
        publication = try row("publication")
        goneAt = try row("gone_at")
    }
}

package struct ResolveReads: Sendable {
    let connection: StoreConnection

    private var kinds: [Pack.ResolvedKind] { connection.packs.resolved }

    private func withSlug(_ kind: String) -> Pack.ResolvedKind? {
        kinds.first { $0.kind.rawValue == kind && $0.hasSlug }
    }

    /// Nil for anything never published.
    package func find(_ id: ID<Entry>) async throws -> ResolvedURL? {
        var live: SQL = .empty
        for kind in kinds { live += "\(Self.live(kind)) where id = \(id) union all " }
        return try await connection.first(
            """
            \(live)
            select 'moved', kind, null, id, new_slug, null::bigint, null
            from api_v1.redirect where kind = 'category' and slug = \(id.description)
            union all \(Self.gone) where t.id = \(id)
            """, ResolvedURL.init)
    }

    /// `kind` is one of `PackSet.kindsWithSlug`. A slug belongs to one entry permanently, so at most one of the queries finds it.
    package func find(_ kind: String, slug: String) async throws -> ResolvedURL? {
        guard let found = withSlug(kind) else { return nil }
        return try await connection.first(
            """
            \(Self.live(found)) where slug = \(slug)
            union all
            select case when t.id is null then 'moved' else 'gone' end, o.kind, t.type, o.id, o.new_slug, t.publication,
                \(Self.goneAt)
            from api_v1.redirect o left join api_v1.tombstone t on t.id = o.id
            where o.kind = \(kind) and o.slug = \(slug)
            union all \(Self.gone) where t.kind = \(kind) and t.slug = \(slug)
            """, ResolvedURL.init)
    }

    /// Whether readers see any of these under its id, its slug or an old slug.
    package func knowsAny(_ kind: String, _ references: [IDOrSlug]) async throws -> Bool {
        guard let table = withSlug(kind)?.table else { return false }
        let ids: [ID<Entry>?] = references.map { reference in
            if case .id(let id) = reference { id } else { nil }
        }
        return try await connection.first(
            """
            select exists (
                select from unnest(\(ids)::uuid[], \(references.map(\.text))::text[]) u (id, slug)
                where exists (select from api_v1.\(raw: table) k where k.id = u.id)
                   or exists (select from api_v1.\(raw: table) k where k.slug = u.slug)
                   or exists (
                    select from api_v1.redirect o join api_v1.\(raw: table) k on k.id = o.id
                    where o.kind = \(kind) and o.slug = u.slug)) as known
            """
        ) { try $0("known") } ?? false
    }

    package func find(_ kind: String, _ idOrSlug: IDOrSlug) async throws -> ResolvedURL? {
        switch idOrSlug {
        case .id(let id): try await find(id)
        case .slug(let slug): try await find(kind, slug: slug)
        }
    }

    /// Names and expressions are written in the code; none is input.
    private static func live(_ kind: Pack.ResolvedKind) -> SQL {
        """
        select 'live' as state, '\(raw: kind.kind.rawValue)' as kind, \(raw: kind.type) as type, id,
            \(raw: kind.hasSlug ? "slug" : "null") as slug, null::bigint as publication, null as gone_at
        from api_v1.\(raw: kind.table)
        """
    }

    private static let gone: SQL = """
        select 'gone', t.kind, t.type, t.id, t.slug, t.publication, \(goneAt) from api_v1.tombstone t
        """

    private static let goneAt: SQL = """
        to_char(t.gone_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
        """
}
