// Sessions of signed-in staff; only a hash of each token is stored.
import Domain
import FoundationEssentials
import Postgres

package struct SessionRow: Sendable {
    package let id: ID<Session>
    package let account: ID<Account>
    package let name: String
    package let email: String
    package let role: Role
    package let csrf: String
    package let hasSecondFactor: Bool
    package let scope: AccessScope
    /// The time zone of the person; nil until one is known.
    package let zone: String?
    /// The newest failed releases, as far as the frame counts: every page shows the first to those who can act.
    package let failedReleases: [FailedRelease]
    /// How many forms have text that is not saved.
    package let unfinished: Int
    /// The numbers of the navigation; nil for requests of a page's script.
    package let counts: FrameCounts?

    init(row: Row) throws {
        id = try row("id")
        account = try row("account_id")
        name = try row("name")
        email = try row("email")
        role = try row("role")
        csrf = try row("csrf")
        hasSecondFactor = try row("has_second_factor")
        scope = try AccessScope(row: row)
        zone = try row("zone")
        failedReleases = ((try row("failed_releases") as JSONValue).arrayValue ?? []).compactMap(FailedRelease.init)
        unfinished = try row("unfinished")
        counts = (try row("counts") as JSONValue?).map(FrameCounts.init)
    }
}

package struct FailedRelease: Sendable {
    package let number: Int64
    package let title: String
    /// The entry that it failed for, if the person may see it.
    package let entry: ID<Entry>?
    package let entryKind: ContentType.Kind?
    /// Whether the person may see all that it publishes, which publishing it takes.
    package let isWhole: Bool
    /// Such as `Article "A walk"`.
    package let entryName: String?
    private let failure: String

    init?(reading value: JSONValue) {
        guard let number = value["number"]?.integerValue else { return nil }
        func text(_ name: String) -> String { value[name]?.stringValue ?? "" }
        self.number = number
        title = text("title")
        entry = ID(text("entry"))
        entryKind = value["kind"]?.stringValue.map { ContentType.Kind(rawValue: $0) }
        isWhole = value["is_whole"] == .bool(true)
        entryName = entry.map { _ in BlockedEntry.name(text("type"), text("entry_title")) }
        failure = text("failure")
    }

    /// Why it could not be published, with the name of the entry; in the language of the page.
    package var cause: String {
        [entryName, ConstraintRules.sentence(for: failure)].compactMap(\.self).joined(separator: ": ")
    }
}

/// One session as its owner and administrators see it.
package struct SessionLine: Sendable, Encodable {
    package let id: ID<Session>
    package let remoteAddress: String
    package let userAgent: String
    package let createdAt: Date
    package let seenAt: Date
}

package struct SessionStore: Sendable {
    let connection: StoreConnection

    package func add(
        tokenHash: [UInt8], account: ID<Account>, csrf: String, remoteAddress: String, userAgent: String, hours: Int
    ) async throws {
        try await connection.run(
            """
            insert into ops.session (token_hash, account_id, csrf, remote_address, user_agent, expires_at)
            values (\(tokenHash), \(account), \(csrf), \(remoteAddress), left(\(userAgent), 200),
                now() + make_interval(hours => \(hours)::integer))
            """)
    }

    /// The session of a token, unless it is idle for too long, has expired or its account is disabled. Records its use
    /// at most once a minute, and never when `isQuiet`. Only pages need the counts of their navigation.
    package func find(
        tokenHash: [UInt8], idleMinutes: Int, isQuiet: Bool = false, counts: Bool = true
    ) async throws -> SessionRow? {
        try await connection.first(
            """
            with touched as (
                update ops.session set seen_at = now()
                where token_hash = \(tokenHash) and not \(isQuiet)::boolean and seen_at < now() - interval '1 minute'
                  and seen_at > now() - make_interval(mins => \(idleMinutes)::integer) and expires_at > now())
            select s.id, s.account_id, n.name, a.email, to_jsonb(r) as role, s.csrf,
                   exists (select from ops.second_factor f where f.account_id = a.id and f.confirmed_at is not null)
                       as has_second_factor, \(AccessScope.columns), a.zone, f.failed_releases,
                   (select count(*) from ops.autosave u where u.account_id = a.id and u.fields is not null)::integer
                       as unfinished,
                   case when \(counts && !isQuiet)::boolean then \(FrameCounts.columns) end as counts
            from ops.session s join ops.account a on a.id = s.account_id join ops.actor n on n.id = a.id
                join ops.role r on r.name = a.role cross join lateral (
                    select coalesce(jsonb_agg(jsonb_build_object('number', newest.number, 'title', newest.title,
                            'failure', newest.failure, 'entry', e.id, 'type', e.type, 'kind', e.kind, 'entry_title', (
                                select v.content ->> 'title' from curation.revision v
                                where v.entry_id = e.id order by v.number desc limit 1),
                            'is_whole', a.types is null and a.groups is null or not exists (
                                select from curation.release_item i join curation.entry o on o.id = i.entry_id
                                where i.release_id = newest.id
                                  and not ops.entry_in_scope(a.types, a.groups, o.type, o.id)))
                        order by newest.number desc), '[]') as failed_releases
                    from (select id, number, title, failure, failed_entry from curation.release r where state = 'failed'
                            and (a.types is null and a.groups is null or exists (
                                select from curation.release_item i join curation.entry e on e.id = i.entry_id
                                where i.release_id = r.id and ops.entry_in_scope(a.types, a.groups, e.type, e.id)))
                          order by number desc limit \(fixed: FrameCounts.limit + 1)) newest
                        left join curation.entry e on e.id = newest.failed_entry
                            and ops.entry_in_scope(a.types, a.groups, e.type, e.id)) f
            where s.token_hash = \(tokenHash) and s.expires_at > now() and a.disabled_at is null
              and s.seen_at > now() - make_interval(mins => \(idleMinutes)::integer)
            """, SessionRow.init)
    }

    /// The valid sessions of an account, last used first.
    package func list(of account: ID<Account>, idleMinutes: Int) async throws -> [SessionLine] {
        try await connection.rows(
            """
            select id, remote_address, user_agent, created_at, seen_at from ops.session
            where account_id = \(account) and expires_at > now()
              and seen_at > now() - make_interval(mins => \(idleMinutes)::integer)
            order by seen_at desc, id limit 100
            """
        ) { row in
            SessionLine(
                id: try row("id"), remoteAddress: try row("remote_address"), userAgent: try row("user_agent"),
                createdAt: try row("created_at"), seenAt: try row("seen_at"))
        }
    }

    package func remove(tokenHash: [UInt8]) async throws {
        try await connection.run("delete from ops.session where token_hash = \(tokenHash)")
    }

    /// Ends one session of an account; false when it does not exist.
    package func remove(_ id: ID<Session>, of account: ID<Account>) async throws -> Bool {
        try await connection.run("delete from ops.session where id = \(id) and account_id = \(account)") > 0
    }

    /// Ends all sessions of an account except one.
    package func removeAll(of account: ID<Account>, except current: ID<Session>? = nil) async throws {
        try await connection.run(
            "delete from ops.session where account_id = \(account) and id is distinct from \(current)::uuid")
    }
}
