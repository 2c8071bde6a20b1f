// The search of the team over everything: entries, submissions, contributors, releases and accounts, in the access scope of the page.
import Domain
import FoundationEssentials
import Localization
import Postgres

/// Which kinds to search, and how many of each at most.
package struct TeamSearch: Sendable {
    package let query: String
    /// One more is found, so that a page knows whether there are more.
    package let limit: Int
    package var entries = false
    /// Those of `entries` that have pages of their own.
    package var kinds: Set<ContentType.Kind> = []
    package var submissions = false
    package var contributors = false
    package var releases = false
    package var accounts = false

    package init(_ query: String, limit: Int) { (self.query, self.limit) = (query, limit) }
}

/// What was found of each kind, best first.
package struct TeamSearchResult: Sendable {
    package fileprivate(set) var entries: [EntryRow] = []
    /// Entries of kinds with few members, each found by itself: feeds, categories, texts, settings.
    package fileprivate(set) var others: [ContentType.Kind: [EntryRow]] = [:]
    package fileprivate(set) var submissions: [FoundSubmission] = []
    package fileprivate(set) var contributors: [ReputationRow] = []
    package fileprivate(set) var releases: [ReleaseRow] = []
    package fileprivate(set) var accounts: [AccountRow] = []
}

package struct FoundSubmission: Sendable {
    package let id: ID<Submission>
    package let type: String
    package let title: String
    package let source: String
    package let contributor: String?
    package let state: SubmissionState
    package let receivedAt: Date

    init(row: Row) throws {
        (id, type, title) = (try row("id"), try row("type"), try row("title"))
        (source, contributor) = (try row("source"), try row("contributor"))
        (state, receivedAt) = (try row("state"), try row("received_at"))
    }
}

extension Database {
    /// Searches on one snapshot. A search that finds too much to be fast is refused.
    package func search(_ search: TeamSearch) async throws -> TeamSearchResult {
        let result: TeamSearchResult? = try await quickly { stores in
            let store = stores.teamSearch
            try await store.bound()
            var found = TeamSearchResult()
            let entries = search.entries ? try await store.entries(search) : []
            let others = search.kinds.isEmpty ? [:] : try await store.others(search)
            let rows = try await stores.entries.find(entries + others.flatMap(\.value))
            let byID = Dictionary(rows.map { ($0.id, $0) }) { first, _ in first }
            found.entries = entries.compactMap { byID[$0] }
            found.others = others.mapValues { $0.compactMap { byID[$0] } }
            if search.submissions { found.submissions = try await store.submissions(search) }
            if search.contributors { found.contributors = try await store.contributors(search) }
            if search.releases {
                found.releases = try await stores.releases.named(search.query, limit: search.limit + 1)
            }
            if search.accounts { found.accounts = try await store.accounts(search) }
            return found
        }
        guard let result else {
            throw Failure.refused(
                code: "too_slow", message: tr("The search took too long. Enter more words, or rarer ones."))
        }
        return result
    }
}

package struct TeamSearchStore: Sendable {
    let connection: StoreConnection

    /// Kinds with few members, which are read as a whole.
    package static let fewKinds: [ContentType.Kind] = [.feed, .category, .text, .setting]
    /// The newest rows are read first: a common word is among them.
    private static let near = 400
    /// Of a rarer word at most so many rows are ranked.
    private static let maxHits = 1000
    /// Prefixes of at least this many characters are looked up; shorter ones are found among the newest rows only.
    private static let prefix = 3

    /// Until the end of the transaction, an index stops at so many rows.
    func bound() async throws {
        try await connection.runLater("set local gin_fuzzy_search_limit to 5000")
    }

    // MARK: Kinds

    func entries(_ search: TeamSearch) async throws -> [ID<Entry>] {
        try await ids(
            search, from: "curation.entry_search", key: "entry_id", terms: "terms",
            where: "x.kind <> all(\(Self.fewKinds.map(\.rawValue))::text[])",
            scope: AccessScope.current.entry("x", id: "x.entry_id"), rank: "lower(x.title) = lower(\(search.query))")
    }

    func others(_ search: TeamSearch) async throws -> [ContentType.Kind: [ID<Entry>]] {
        // With an offset, rows are read by their kind: words could have a million.
        let rows = try await connection.rows(
            """
            select kind, entry_id from (
                select x.kind, x.entry_id,
                    row_number() over (partition by x.kind order by lower(x.title) <> lower(\(search.query)), x.entry_id desc) as n
                from (
                    select * from curation.entry_search x
                    where x.kind = any(\(search.kinds.map(\.rawValue).sorted())::text[]) and x.kind <> 'item' offset 0) x
                where x.terms @@ (select curation.search_query(\(search.query), 1))
                    and \(AccessScope.current.entry("x", id: "x.entry_id"))) found
            where n <= \(search.limit + 1) order by kind, n
            """
        ) { (ContentType.Kind(rawValue: try $0("kind")), try $0("entry_id") as ID<Entry>) }
        return Dictionary(grouping: rows, by: \.0).mapValues { $0.map(\.1) }
    }

    func submissions(_ search: TeamSearch) async throws -> [FoundSubmission] {
        let scope = AccessScope.current
        let isVisible: SQL =
            scope.isAll
            ? "true"
            : """
            exists (select from curation.submission s where s.id = x.submission_id and \(scope.submission("s")))
            """
        let found: [ID<Submission>] = try await ids(
            search, from: "curation.submission_search", key: "submission_id", terms: "terms", where: "true",
            scope: isVisible, rank: nil)
        // Not screened yet, so only the title is known.
        let new: [ID<Submission>] = try await connection.rows(
            """
            select q.submission_id from (
                select * from curation.queue_item where risk_order = 101 order by received_at desc limit \(fixed: Self.near)) q
            where q.search_terms @@ (select curation.search_query(\(search.query), 1)) and \(scope.submission("q"))
            order by q.submission_id desc limit \(search.limit + 1)
            """
        ) { try $0("submission_id") }
        return try await connection.rows(
            """
            select s.id, s.type, coalesce(v.title, s.title) as title, a.name as source, s.contributor, s.received_at,
                curation.submission_state(s.id) as state
            from curation.submission s join ops.actor a on a.id = s.client_id
            \(SubmissionStore.latestVersion("title"))
            where s.id = any(\(found + new)::uuid[]) and s.erased_at is null
            order by s.id desc limit \(search.limit + 1)
            """, FoundSubmission.init)
    }

    func contributors(_ search: TeamSearch) async throws -> [ReputationRow] {
        let found: [ID<Contributor>] = try await ids(
            search, from: "curation.contributor", key: "id", terms: "search_terms", where: "true",
            scope: ReputationStore.isVisible(AccessScope.current, contributor: "x"),
            rank: "lower(x.name) = lower(\(search.query))")
        return try await connection.rows(
            """
            select \(ReputationRow.columns) from unnest(\(found)::uuid[]) with ordinality u (id, position)
            join curation.contributor c on c.id = u.id \(ReputationRow.joined) order by u.position
            """, ReputationRow.init)
    }

    func accounts(_ search: TeamSearch) async throws -> [AccountRow] {
        try await connection.rows(
            """
            select \(AccountStore.columns) from ops.account a join ops.actor n on n.id = a.id
            where api_v1.terms(n.name || ' ' || a.email) @@ (select curation.search_query(\(search.query), 1))
            order by a.disabled_at is not null, lower(n.name), a.id limit \(search.limit + 1)
            """, AccountRow.init)
    }

    // MARK: Words

    /// The IDs of rows `x` with the words, newest first; rows that `rank` prefers precede all others. A word that fills the list
    /// from the newest rows is not looked up: it could have a million rows.
    private func ids<Noun>(
        _ search: TeamSearch, from table: SQL, key: SQL, terms: SQL, where condition: SQL, scope: SQL, rank: SQL?
    ) async throws -> [ID<Noun>] {
        let limit = search.limit + 1
        let order: SQL = rank.map { "\($0) desc, x.\(key) desc" } ?? "x.\(key) desc"
        func statement(_ rows: SQL, prefix: Int) -> SQL {
            """
            select x.\(key) as id from (\(rows)) x
            where x.\(terms) @@ (select curation.search_query(\(search.query), \(fixed: prefix))) and \(scope)
            order by \(order) limit \(fixed: limit)
            """
        }
        let near: [ID<Noun>] = try await connection.rows(
            statement(
                "select * from \(table) x where \(condition) order by x.\(key) desc limit \(fixed: Self.near)",
                prefix: 1)
        ) { try $0("id") }
        if near.count >= limit { return near }
        let hits: [ID<Noun>] = try await connection.rows(
            statement(
                """
                select * from \(table) x
                where x.\(terms) @@ (select curation.search_query(\(search.query), \(fixed: Self.prefix))) and \(condition)
                limit \(fixed: Self.maxHits)
                """, prefix: 1)
        ) { try $0("id") }
        let known = Set(hits)
        return Array((hits + near.filter { !known.contains($0) }).prefix(limit))
    }
}

extension ReleaseStore {
    /// The newest releases whose titles have these words, or that have this number.
    func named(_ query: String, limit: Int) async throws -> [ReleaseRow] {
        try await connection.rows(
            """
            \(Self.lines) and r.number > (select coalesce(max(number), 0) - 2000 from curation.release)
                and (r.number::text = ltrim(\(query), '#')
                    or api_v1.terms(r.title) @@ (select curation.search_query(\(query), 1)))
            order by r.number desc limit \(limit)
            """, ReleaseRow.init)
    }
}
