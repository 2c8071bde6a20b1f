// Rows of all governed tables, of two content types in two category groups, for the walk through their access rules.
import Domain
import FoundationEssentials
import Operations
import Platform
import Postgres
import Store
import TestSupport

struct AccessWorld {
    /// A content type and a category group.
    struct Content: Hashable {
        let type: String
        let group: String
    }

    struct Scope: Hashable {
        let type: String?
        let group: String?

        func contains(_ content: Content) -> Bool {
            (type == nil || type == content.type) && (group == nil || group == content.group)
        }
    }

    /// A row of a table, and whose it is or what it contains.
    struct Case {
        let table: String
        let row: JSONValue
        /// A condition that only this row meets.
        let key: String
        var content: [Content] = []
        var isOwn = false
    }

    enum Operation: String, CaseIterable { case insert, update, delete }

    static let articles = Content(type: "article", group: "00000000-0000-7000-8000-000000000011")
    static let videos = Content(type: "video", group: "00000000-0000-7000-8000-000000000012")

    static let scopes: [Scope] = [nil, articles.type, videos.type].flatMap { type in
        [nil, articles.group, videos.group].map { Scope(type: type, group: $0) }
    }

    let test: TestDatabase
    let owner: PostgresClient
    /// The account that tries to change the rows.
    let actor: Actor
    /// Another one, which may have an event in the same transaction.
    let companion: Actor
    let cases: [Case]
    /// The database role that may change a table, and the columns that it may write, by table and operation.
    let grants: [String: (role: String, columns: [String])]

    /// `contentTables`: those whose rows belong to content; of them, only rows of the content above are tried.
    static func make(tables: [String], contentTables: Set<String>) async throws -> AccessWorld {
        let test = try await TestDatabase.make()
        let owner = test.superuser()
        let actor = try await test.actor(.curator, name: "Tries")
        let companion = try await test.actor(.curator, name: "Besides")
        let other = try await test.actor(.curator, name: "Other")
        let client = try await test.clientActor([.submit])
        var contents: [UUID: [Content]] = [:]
        for content in [articles, videos] {
            let category = try await test.publish(
                "category", "About \(content.type)s", ["group": .string(content.group)])
            let entry = try await test.publish(content.type, "A \(content.type)", ["categories": .entries([category])])
            let name = "Writes \(content.type)s"
            let submission = try await test.submit(
                "Sent \(content.type)", type: content.type, category: "About \(content.type)s", contributor: name,
                by: client)
            let contributor: UUID = try await owner.one(
                "select id from curation.contributor where name = \(name)")("id")
            let release = try await test.services.composeRelease.create(
                title: "Only \(content.type)s", by: TestDatabase.administrator)
            try await test.services.composeRelease.add(
                [LiveChange(entry: entry, revision: nil)], to: release, by: TestDatabase.administrator)
            let releaseID: UUID = try await owner.one("select id from curation.release where number = \(release)")("id")
            let revision: UUID = try await owner.one(
                "select id from curation.revision where entry_id = \(entry)")("id")
            for id in [entry.uuid, revision, submission.uuid, releaseID, contributor] { contents[id] = [content] }
        }
        try await owner.transaction { transaction in
            try await transaction.execute("set local session_replication_role = replica")
            try await transaction.execute(
                """
                update curation.release_item set base_revision = (
                    select revision_id from curation.live l where l.entry_id = release_item.entry_id)
                """)
            for statement in rows(actor: actor.rowID, other: other.rowID) {
                try await transaction.execute("\(raw: statement)")
            }
        }
        try await owner.execute(attempt)
        let grants = try await grants(owner)
        var cases: [Case] = []
        for table in tables where grants.keys.contains(where: { $0.hasPrefix("\(table) ") }) {
            cases += try await self.cases(
                of: table, isContent: contentTables.contains(table), owner, actor, contents)
        }
        return AccessWorld(
            test: test, owner: owner, actor: actor, companion: companion, cases: cases, grants: grants)
    }

    /// A function that tries a change as an account with these permissions and this scope, and undoes everything. Returns the
    /// constraint that refused it, if that is one of access. A companion has an event in the same transaction; as an account it
    /// has no access scope and may only read the queue.
    private static let attempt: SQL = """
        create function attempt(permissions text[], types text[], groups uuid[], account uuid, credential bytea, role text,
            removal text, change text, new_row jsonb, companion uuid default null, companion_credential bytea default null)
        returns text language plpgsql as $$
        declare
            refusal text;
        begin
            set local session_replication_role = replica;
            insert into ops.role (name, label, permissions) values ('tried', 'Tried', attempt.permissions);
            update ops.account a set role = 'tried', types = attempt.types, groups = attempt.groups where a.id = account;
            if companion is not null then
                insert into ops.role (name, label, permissions) values ('reads', 'Reads', '{read_queue}');
                update ops.account a set role = 'reads' where a.id = companion;
            end if;
            if removal <> '' then execute removal; end if;
            set local session_replication_role = origin;
            execute format('set local role %I', role);
            -- Signing in has a database role of its own.
            execute format('select ops.%I(array[$1]::bytea[], array[$2]::uuid[], ''{test.try}'', ''{test}'', ''{x}'', ''{"{}"}'', ''{null}'', ''{null}'')',
                case role when 'vitrine_sign_in' then 'record_sign_in' else 'record_requested' end) using credential, account;
            if companion is not null then
                perform ops.record_requested(array[companion_credential], array[companion], '{test.try}', '{test}', '{x}',
                    '{"{}"}', '{null}', '{null}');
            end if;
            execute change using new_row;
            set constraints all immediate;
            raise exception using errcode = 'ZZ000';
        exception when others then
            get stacked diagnostics refusal = constraint_name;
            return case when refusal in ('account_scope', 'audit_event_required', 'audit_event_administrator',
                'audit_event_author', 'audit_event_actor') then refusal else '' end;
        end $$
        """

    /// Rows that the content above has not brought along, written past all rules.
    private static func rows(actor: UUID, other: UUID) -> [String] {
        let zero = "decode(repeat('00', 32), 'hex')"
        let observations = [
            "insert into curation.validity_period (kind, city, valid_from, valid_to) values ('air', 'London', '2026-01-01', '2026-01-02')",
            "insert into curation.observation (period_id, site, measure, value, source, fetched_at) select id, 'S', 'no2', 1, 'test', now() from curation.validity_period",
            "insert into curation.observation_history (kind, city, valid_from, valid_to, site, measure, value, source, fetched_at, recorded_at, reason) select kind, city, valid_from, valid_to, 'S', 'no2', 1, 'test', now(), now(), 'replaced' from curation.validity_period",
            "insert into curation.postcode (code, latitude, longitude, source, fetched_at) values ('EC1', 51, 0, 'test', now())",
        ]
        let core = [
            "insert into ops.checklist (dismissed_by) values ('\(other)')",
            "insert into ops.recovery_code (account_id, code_hash) select a, \(zero) from unnest(array['\(actor)', '\(other)']::uuid[]) a",
            "insert into ops.second_factor (account_id, sealed_secret) select a, \(zero) || \(zero) from unnest(array['\(actor)', '\(other)']::uuid[]) a",
            "insert into ops.role (name, label, permissions) values ('other', 'Other', '{read_queue}')",
            "insert into delivery.identity (resource, value, adopted_by) values ('media', repeat('0', 32), '\(other)') on conflict do nothing",
            "insert into ops.webhook (url, events, secret, created_by) values ('https://a.example', '{release.failed}', \(zero), '\(other)')",
            "insert into ops.actor (id, kind, name) values ('00000000-0000-7000-8000-0000000f0001', 'form', 'Stories')",
            "insert into curation.submission_form (id, name, type, title, locale) values ('00000000-0000-7000-8000-0000000f0001', 'stories', 'article', 'Stories', 'en')",
            "insert into curation.status_link (submission_id, edition) select id, 2 from curation.submission",
            "insert into curation.note (submission_id, text, author_id) select id, 'Note', '\(other)' from curation.submission",
            "insert into curation.note (entry_id, text, author_id) select id, 'Note', '\(other)' from curation.entry where kind = 'item'",
            "insert into curation.note (contributor_id, text, author_id) select id, 'Note', '\(other)' from curation.contributor",
            "insert into curation.decision (submission_id, number, verdict, reason, decided_by, decider_role) select id, 1, 'reject', 'spam', '\(other)', 'curator' from curation.submission",
            "insert into curation.submission_version (decision_id, submission_id, number, title, fields, received) select id, submission_id, 2, 'Again', '{}', '{}' from curation.decision",
            "insert into curation.review_stage (type, number, name, role, required_approvals) values ('article', 1, 'First', 'curator', 1)",
            "insert into curation.submission_approval (submission_id, stage_id, version, approved_by, role) select s.id, t.id, 1, '\(other)', 'curator' from curation.submission s, curation.review_stage t",
            "insert into curation.screening_rules (version, rules, note, created_by) values (1000, '{}', 'Tried', '\(other)')",
            "insert into curation.screening_trial (version, decisions, result) values (1000, 1, '{}')",
            "insert into curation.screening_activation (number, version, created_by) values (1000, 1000, '\(other)')",
            "insert into curation.automatic_decision (submission_id, number, version, score, level, trust, inputs) select id, 1, 1000, 1, 'low', 1, '{}' from curation.submission",
            "insert into curation.report_case (entry_id, revision_id) select l.entry_id, l.revision_id from curation.live l join curation.entry e on e.id = l.entry_id where e.kind = 'item'",
            "insert into curation.report (id, case_id, entry_id, client_id, reason, request_hash) select curation.uuid_v7(), id, entry_id, '\(other)', 'spam', \(zero) from curation.report_case",
            "insert into curation.external_id (type, source, external_id, entry_id) select type, 'test', id::text, id from curation.entry where kind = 'item'",
            "insert into ops.media (id, version_id, upload_sha256, name, type, uploaded_by) select u, u, \(zero), 'a.png', 'image/png', '\(other)' from curation.uuid_v7() u",
            "insert into ops.media_version (id, media_id, number, upload_sha256, type, source, created_by) select id, id, 1, \(zero), 'image/png', '00/' || repeat('0', 62) || '.png', '\(other)' from ops.media",
            "insert into ops.media_file (media_id, version_id, width, height, bytes, sha256, path) select id, id, 1, 1, 1, repeat('0', 64), '00/' || repeat('0', 62) || '.png' from ops.media",
            "insert into curation.playlist_check (stream_url, source, outcome, parts, checked_by) values ('https://a.example/a.m3u8', 'fetched', 'media', 1, '\(other)')",
            "insert into curation.preview (token_hash, title, instant, local_time, zone, created_by, expires_at) values (\(zero), 'Soon', now(), now()::timestamp, 'UTC', '\(other)', now() + interval '1 day')",
        ]
        return core + TestPack.routes.ifEnabled(observations)
    }

    /// What the roles that serve requests may write. A role for signing in writes what the daemon's may not.
    private static func grants(_ owner: PostgresClient) async throws -> [String: (role: String, columns: [String])] {
        var found: [String: (role: String, columns: [String])] = [:]
        for role in ["vitrine_sign_in", "vitrine_daemon"] {
            let rows = try await owner.query(
                """
                select g.table_schema || '.' || g.table_name || ' ' || lower(g.privilege_type) as name,
                    array_agg(g.column_name::text order by g.column_name) as columns
                from information_schema.column_privileges g
                where g.grantee = \(role) and g.privilege_type in ('INSERT', 'UPDATE') group by 1
                union all
                select t.table_schema || '.' || t.table_name || ' delete', '{}'
                from information_schema.role_table_grants t
                where t.grantee = \(role) and t.privilege_type = 'DELETE'
                """)
            for row in rows { found[try row("name")] = (role, try row("columns")) }
        }
        // Withdrawn by who gave it, and nobody else: StolenLoginTests.
        found["curation.submission_approval update"] = nil
        return found
    }

    private static func cases(
        of table: String, isContent: Bool, _ owner: PostgresClient, _ actor: Actor, _ contents: [UUID: [Content]]
    ) async throws -> [Case] {
        let keys: [String] = try await owner.one(
            """
            select array_agg(a.attname::text) as keys from pg_index i
            join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
            where i.indrelid = \(table)::regclass and i.indisprimary
            """)("keys")
        let rows = try await owner.query("select to_jsonb(t) as row from \(raw: table) t limit 2000")
        var cases: [Case] = []
        var (free, others) = (0, 0)
        // The newest first: what the rows above have added, nothing else uses.
        for row in rows.reversed() {
            let value: JSONValue = try row("row")
            func id(_ name: String) -> UUID? { value[name]?.stringValue.flatMap { UUID(uuidString: $0) } }
            let key = keys.map { "\"\($0)\"::text = '\(value[$0]?.text ?? "")'" }.joined(separator: " and ")
            let subject = ["submission_id", "entry_id", "revision_id", "release_id", "contributor_id", "id"].map(id)
                .lazy
                .compactMap(\.self).compactMap { contents[$0] }.first
            var item = Case(table: table, row: value, key: key)
            if let subject {
                item.content = subject
            } else if isContent {
                continue
            } else if let account = id("account_id")
                ?? (table == "ops.account" || table == "ops.actor" ? id("id") : nil)
            {
                item.isOwn = account == actor.rowID
                if !item.isOwn { others += 1 }
                if !item.isOwn, others > 1 { continue }
            } else {
                free += 1
                if free > 1 { continue }
            }
            cases.append(item)
        }
        return cases
    }
}

extension JSONValue {
    fileprivate var text: String {
        switch self {
        case .string(let text): text
        case .int(let number): String(number)
        case .bool(let flag): String(flag)
        default: ""
        }
    }
}
