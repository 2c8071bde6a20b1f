// The catalogs: what sources said of films, books, restaurants, and what was asked of them.
import Domain
import FoundationEssentials
import Postgres

/// One thing of a catalog, as it is kept.
package struct CatalogItemRow: Sendable {
    package let id: ID<CatalogItem>
    package let kind: String
    package let source: String
    /// Its id at the source.
    package let externalID: String
    package let title: String
    package let details: JSONValue
    /// When the source said this first.
    package let fetchedAt: Date
    /// When it last said the same.
    package let checkedAt: Date
    package let isListed: Bool
    /// Readers see it: it was offered, or a live list names it.
    package let isPublic: Bool

    init(row: Row) throws {
        id = try row("id")
        kind = try row("kind")
        source = try row("source")
        externalID = try row("external_id")
        title = try row("title")
        details = try row("details")
        fetchedAt = try row("fetched_at")
        checkedAt = try row("checked_at")
        isListed = try row("is_listed")
        isPublic = try row("is_public")
    }
}

package struct CatalogFilter: Sendable, Equatable {
    package enum Status: String, Sendable { case offered, kept }

    package var kind: String?
    /// In its title, in either case.
    package var words: String?
    package var standing: Status?

    package init(kind: String? = nil, words: String? = nil, standing: Status? = nil) {
        self.kind = kind
        self.words = words
        self.standing = standing
    }
}

/// The last answer to a question.
package struct CatalogResponseRow: Sendable {
    package let items: [ID<CatalogItem>]
    /// What came that is no item, such as the names of artists.
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

    /// These items, in this order; what there is not is left out.
    package func find(_ ids: [ID<CatalogItem>]) async throws -> [CatalogItemRow] {
        if ids.isEmpty { return [] }
        return try await connection.rows(
            """
            select i.* from unnest(\(ids)::uuid[]) with ordinality w (id, place)
            join lateral (\(Self.lines) where c.id = w.id) i on true order by w.place
            """, CatalogItemRow.init)
    }

    package func find(kind: String, source: String, externalID: String) async throws -> CatalogItemRow? {
        try await connection.first(
            "\(Self.lines) where c.source = \(source) and c.kind = \(kind) and c.external_id = \(externalID)",
            CatalogItemRow.init)
    }

    private static func pattern(_ words: String) -> String {
        "%" + words.replacing("\\", with: "\\\\").replacing("%", with: "\\%").replacing("_", with: "\\_") + "%"
    }

    /// One page of all that is kept, the newest first, by keyset on the id (which sorts by age).
    package func page(_ filter: CatalogFilter, cursor: String?, limit: Int) async throws -> Page<CatalogItemRow> {
        var statement: SQL = "\(Self.lines) where true"
        if let kind = filter.kind { statement += " and c.kind = \(kind)" }
        if let words = filter.words { statement += " and c.title ilike \(Self.pattern(words))" }
        switch filter.standing {
        case .offered: statement += " and c.listed_at is not null"
        case .kept: statement += " and c.listed_at is null"
        case nil: break
        }
        if let cursor {
            let place = try Cursor(parsing: cursor, count: 1)
            statement += " and c.id < \(try place.uuid(0))"
        }
        statement += " order by c.id desc limit \(limit + 1)"
        let rows = try await connection.rows(statement, CatalogItemRow.init)
        return Page(rows: rows, limit: limit) { Cursor([$0.id.description]) }
    }

    /// What is kept of one kind and holds these words in its title, the newest first: when nobody else can be asked.
    package func kept(_ kind: String, words: String, limit: Int = 20) async throws -> [CatalogItemRow] {
        try await connection.rows(
            """
            \(Self.lines) where c.kind = \(kind) and c.title ilike \(Self.pattern(words))
            order by c.checked_at desc, c.id limit \(limit)
            """, CatalogItemRow.init)
    }

    /// Items of a source that readers see and that nobody looked at for so long, the longest first.
    package func due(of source: String, afterSeconds seconds: Int, limit: Int) async throws -> [CatalogItemRow] {
        try await connection.rows(
            """
            \(Self.lines) where c.source = \(source) and c.checked_at < clock_timestamp() - make_interval(secs => \(seconds)::integer)
                and curation.is_public(c)
            order by c.checked_at, c.id limit \(limit)
            """, CatalogItemRow.init)
    }

    package func answer(_ question: CatalogQuery, from source: String) async throws -> CatalogResponseRow? {
        try await connection.first(
            """
            select items, hints, fetched_at,
                greatest(0, extract(epoch from clock_timestamp() - fetched_at))::bigint as age
            from ops.catalog_query
            where kind = \(question.kind) and source = \(source) and question = \(question.text)
            """, CatalogResponseRow.init)
    }

    // MARK: Changes

    /// Records what a source said; where readers see a change, it is published. The ids in the order of the records.
    /// `areWhole`: each record is all that the source says of the thing, not a line of a list.
    package func record(
        _ records: [CatalogRecord], areWhole: Bool, kind: String, source: String, by actor: Actor
    ) async throws -> [ID<CatalogItem>] {
        if records.isEmpty { return [] }
        return try await connection.longFirst(
            """
            select curation.record_catalog(\(kind), \(source), \(records.map(\.externalID))::text[],
                \(records.map(\.title))::text[], \(records.map { JSONValue.object($0.details) })::jsonb[],
                \(areWhole), \(actor.rowID)) as ids
            """
        ) { try $0("ids") } ?? []
    }

    /// Keeps an answer until the next one to the same question.
    package func keep(
        _ items: [ID<CatalogItem>], hints: [String], to question: CatalogQuery, from source: String
    ) async throws {
        try await connection.run(
            """
            insert into ops.catalog_query (kind, source, question, items, hints)
            values (\(question.kind), \(source), \(question.text), \(items)::uuid[], \(hints)::text[])
            on conflict (kind, source, question) do update
            set items = excluded.items, hints = excluded.hints, fetched_at = clock_timestamp()
            """)
    }

    /// Shows items to readers, or no longer: the publication, or nil when nothing changed.
    package func offer(_ ids: [ID<CatalogItem>], _ isListed: Bool, by actor: Actor) async throws -> Int64? {
        try await connection.longFirst(
            "select curation.list_catalog(\(ids)::uuid[], \(isListed), \(actor.rowID)) as number"
        ) { try $0("number") as Int64? } ?? nil
    }

    /// Gives an item another source, or another id there: the publication, or nil when readers do not see it.
    package func move(
        _ id: ID<CatalogItem>, source: String, externalID: String, by actor: Actor
    ) async throws -> Int64? {
        try await connection.longFirst(
            "select curation.move_catalog(\(id), \(source), \(externalID), \(actor.rowID)) as number"
        ) { try $0("number") as Int64? } ?? nil
    }

    /// Notes that these were looked for and not found at their source, so that others come first the next time.
    package func looked(at ids: [ID<CatalogItem>]) async throws {
        try await connection.run("select curation.catalog_checked(\(ids)::uuid[])")
    }

    /// Forgets answers that nobody asked for again in ninety days.
    package func sweep() async throws {
        try await connection.run(
            "delete from ops.catalog_query where fetched_at < clock_timestamp() - interval '90 days'")
    }
}
