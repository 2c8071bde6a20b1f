// The catalogs: records received from sources (films, books, restaurants) and cached query results.
import Domain
import FoundationEssentials
import Postgres
import Store

package struct CatalogFilter: Sendable, Equatable {
    package enum Status: String, Sendable { case listed, unlisted }

    package var kind: String?
    /// Part of the title, ignoring case.
    package var query: String?
    package var status: Status?

    package init(kind: String? = nil, query: String? = nil, status: Status? = nil) {
        self.kind = kind
        self.query = query
        self.status = status
    }
}

/// The latest response to a query.
package struct CatalogResponseRow: Sendable {
    package let items: [ID<CatalogItem>]
    /// Values that are not items, such as the names of artists.
    package let hints: [String]
    package let fetchedAt: Date
    package let ageSeconds: Int

    init(row: Row) throws {
        items = try row("items")
        hints = try row("hints")
        fetchedAt = try row("fetched_at")
        ageSeconds = try row("age")
    }
}

package struct CatalogStore: Sendable {
    let connection: StoreConnection

    private static let lines: SQL = """
        select c.id, c.kind, c.source, c.external_id, c.title, c.details, c.fetched_at, c.checked_at,
            c.listed_at is not null as is_listed, curation.is_public(c) as is_public
        from curation.catalog_item c
        """

    package func find(_ id: ID<CatalogItem>) async throws -> CatalogItemRow? {
        try await connection.first("\(Self.lines) where c.id = \(id)", CatalogItemRow.init)
    }

    /// These items, in this order; unknown ids are omitted.
    package func find(_ ids: [ID<CatalogItem>]) async throws -> [CatalogItemRow] {
        if ids.isEmpty { return [] }
        return try await connection.rows(
            """
            select i.* from unnest(\(ids)::uuid[]) with ordinality w (id, position)
            join lateral (\(Self.lines) where c.id = w.id) i on true order by w.position
            """, CatalogItemRow.init)
    }

    /// The covers that are stored in the media library.
    package func covers(of ids: [ID<CatalogItem>]) async throws -> [ID<CatalogItem>: Thumbnail] {
        if ids.isEmpty { return [:] }
        let rows = try await connection.rows(
            """
            select c.id, f.path, f.width, f.height from curation.catalog_item c
            join ops.external_image x on x.url = curation.catalog_image_url(c.details)
            cross join lateral (
                select path, width, height from ops.media_file where version_id = x.media_id order by width limit 1) f
            where c.id = any(\(ids)::uuid[])
            """
        ) { row in
            (
                try row("id") as ID<CatalogItem>,
                Thumbnail(path: try row("path"), width: try row("width"), height: try row("height"))
            )
        }
        return Dictionary(rows) { first, _ in first }
    }

    /// These items, in this order; throws `Failure.missing` if an id is unknown.
    package func findAll(_ ids: [ID<CatalogItem>]) async throws -> [CatalogItemRow] {
        let items = try await find(ids)
        if let unknown = Set(ids).subtracting(items.map(\.id)).first {
            throw Failure.missing("catalog item \"\(unknown)\"")
        }
        return items
    }

    /// The newest stored items with this text in their title.
    package func find(titled text: String, limit: Int) async throws -> [CatalogItemRow] {
        try await page(CatalogFilter(query: text), cursor: nil, limit: limit).items
    }

    package func find(kind: String, source: String, externalID: String) async throws -> CatalogItemRow? {
        try await connection.first(
            "\(Self.lines) where c.source = \(source) and c.kind = \(kind) and c.external_id = \(externalID)",
            CatalogItemRow.init)
    }

    /// The stored items that each reference names, at most ten: the one with its id at the source, or those with its title,
    /// ignoring case, and its year if both have one.
    package func matches(for references: [CatalogReference]) async throws -> [CatalogReference: [CatalogItemRow]] {
        if references.isEmpty { return [:] }
        let titles = references.map { reference in
            reference.source == nil ? reference.title.map(Self.escapedForLike) : nil
        }
        let year: SQL = """
            substring(coalesce(c.details ->> 'released', c.details ->> 'published', c.details ->> 'first_aired',
                c.details ->> 'year') from '^[0-9]{4}')::integer
            """
        let rows = try await connection.rows(
            """
            select i.*, u.position
            from unnest(\(references.map(\.kind))::text[], \(references.map(\.source))::text[],
                \(references.map(\.externalID))::text[], \(titles)::text[], \(references.map(\.year))::integer[])
                with ordinality u (kind, source, external_id, title, year, position)
            cross join lateral (
                (\(Self.lines) where c.source = u.source and c.external_id = u.external_id and c.kind = coalesce(u.kind, c.kind))
                union all
                (\(Self.lines) where c.title ilike u.title and c.kind = coalesce(u.kind, c.kind)
                    and coalesce(u.year = \(year), true))
                order by id limit 10) i
            order by u.position, i.id
            """
        ) { (position: try $0("position") as Int, item: try CatalogItemRow(row: $0)) }
        return Dictionary(grouping: rows) { references[$0.position - 1] }.mapValues { rows in
            // The same reference may be there twice.
            rows.filter { $0.position == rows[0].position }.map(\.item)
        }
    }

    private static func escapedForLike(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("%", with: "\\%").replacing("_", with: "\\_")
    }

    /// One page of all stored items, newest first, by keyset on the id (which sorts by age).
    package func page(_ filter: CatalogFilter, cursor: String?, limit: Int) async throws -> Page<CatalogItemRow> {
        var statement: SQL = "\(Self.lines) where true"
        if let kind = filter.kind { statement += " and c.kind = \(kind)" }
        if let query = filter.query { statement += " and \(Self.matches(query))" }
        switch filter.status {
        case .listed: statement += " and c.listed_at is not null"
        case .unlisted: statement += " and c.listed_at is null"
        case nil: break
        }
        if let cursor {
            let position = try Cursor(parsing: cursor, count: 1)
            statement += " and c.id < \(try position.uuid(0))"
        }
        statement += " order by c.id desc limit \(limit + 1)"
        let rows = try await connection.rows(statement, CatalogItemRow.init)
        return Page(rows: rows, limit: limit) { Cursor([$0.id.description]) }
    }

    /// A condition on an item `c`: its title has these words; the last may be unfinished.
    private static func matches(_ query: String) -> SQL {
        "api_v1.terms(c.title) @@ (select api_v1.search_query(\(query), 1))"
    }

    /// Stored items of one kind with these words in their title, or all if there are none, newest first; used when the source
    /// cannot be queried.
    package func search(_ kind: String, query: String, limit: Int = 20) async throws -> [CatalogItemRow] {
        let condition: SQL = query.isEmpty ? "true" : Self.matches(query)
        return try await connection.rows(
            """
            \(Self.lines) where c.kind = \(kind) and \(condition)
            order by c.checked_at desc, c.id limit \(limit)
            """, CatalogItemRow.init)
    }

    /// Publicly visible items of a source that have not been checked for this long, oldest check first.
    package func due(of source: String, afterSeconds seconds: Int, limit: Int) async throws -> [CatalogItemRow] {
        try await connection.rows(
            """
            \(Self.lines) where c.source = \(source) and c.checked_at < clock_timestamp() - make_interval(secs => \(seconds)::integer)
                and curation.is_public(c)
            order by c.checked_at, c.id limit \(limit)
            """, CatalogItemRow.init)
    }

    /// The fields of the newest pending submissions of these types.
    package func pendingFields(of types: [String], limit: Int) async throws -> [(
        type: String, fields: [String: JSONValue]
    )] {
        try await connection.rows(
            """
            select s.type, s.fields from curation.queue_item q join curation.submission s on s.id = q.submission_id
            where q.type = any(\(types)::text[]) order by q.received_at desc limit \(limit)
            """
        ) { (type: try $0("type"), fields: (try $0("fields") as StoredFields).values) }
    }

    /// The last response to a query; nil if it was never asked.
    package func response(_ query: CatalogQuery, from source: String) async throws -> CatalogResponseRow? {
        try await connection.first(
            """
            select items, hints, fetched_at,
                greatest(0, extract(epoch from clock_timestamp() - fetched_at))::bigint as age
            from ops.catalog_query
            where kind = \(query.kind) and source = \(source) and query = \(query.text)
            """, CatalogResponseRow.init)
    }

    // MARK: Changes

    /// Saves records from a source and publishes the ones visible to readers. Returns the ids in the order of the records.
    /// `areComplete`: each record contains everything the source knows about the item, not just a line of a search
    /// result.
    package func record(
        _ records: [CatalogRecord], areComplete: Bool, kind: String, source: String, by actor: Actor
    ) async throws -> [ID<CatalogItem>] {
        if records.isEmpty { return [] }
        return try await connection.longFirst(
            """
            select curation.record_catalog(\(kind), \(source), \(records.map(\.externalID))::text[],
                \(records.map(\.title))::text[], \(records.map { JSONValue.object($0.details) })::jsonb[],
                \(areComplete), \(actor.rowID)) as ids
            """
        ) { try $0("ids") } ?? []
    }

    /// Stores a response until the next one to the same query.
    package func saveResponse(
        _ items: [ID<CatalogItem>], hints: [String], to query: CatalogQuery, from source: String
    ) async throws {
        try await connection.run(
            """
            insert into ops.catalog_query (kind, source, query, items, hints)
            values (\(query.kind), \(source), \(query.text), \(items)::uuid[], \(hints)::text[])
            on conflict (kind, source, query) do update
            set items = excluded.items, hints = excluded.hints, fetched_at = clock_timestamp()
            """)
    }

    /// Lists or unlists items for readers. Returns the publication, or nil when nothing changed.
    package func setListed(_ ids: [ID<CatalogItem>], _ isListed: Bool, by actor: Actor) async throws -> Int64? {
        try await connection.longFirst(
            "select curation.list_catalog(\(ids)::uuid[], \(isListed), \(actor.rowID)) as number"
        ) { try $0("number") as Int64? } ?? nil
    }

    /// Moves an item to another source or another external id. Returns the publication, or nil when readers don't see
    /// the item.
    package func move(
        _ id: ID<CatalogItem>, source: String, externalID: String, by actor: Actor
    ) async throws -> Int64? {
        try await connection.longFirst(
            "select curation.move_catalog(\(id), \(source), \(externalID), \(actor.rowID)) as number"
        ) { try $0("number") as Int64? } ?? nil
    }

    /// Records that these items were looked up but not found at their source, so that others are checked first next
    /// time.
    package func markChecked(at ids: [ID<CatalogItem>]) async throws {
        try await connection.run("select curation.mark_catalog_checked(\(ids)::uuid[])")
    }

    /// Deletes responses that haven't been refreshed for ninety days.
    package func sweep() async throws {
        try await connection.run(
            "delete from ops.catalog_query where fetched_at < clock_timestamp() - interval '90 days'")
    }
}
