// Tests the installation of the SQL functions: their bodies, a second installation, and what remains of old versions.
import Domain
import Postgres
import Store
import TestSupport
import Testing

@Suite("SQL functions", .databases)
struct FunctionTests {
    private static let functions: SQL = """
        pg_proc p join pg_namespace n on n.oid = p.pronamespace
        where n.nspname in ('curation', 'ops', 'delivery', 'api_v1', 'projection')
        """

    @Test("Every function body is valid; they are installed without a check, because they name each other")
    func bodies() async throws {
        let test = try await TestDatabase.make()
        let definitions: [String] = try await test.client.query(
            "select pg_get_functiondef(p.oid) as definition from \(Self.functions)"
        ).map { try $0("definition") }
        #expect(definitions.count > 200)
        for definition in definitions { try await test.client.run(script: definition) }
    }

    @Test("No function is executable by everyone")
    func privileges() async throws {
        let test = try await TestDatabase.make()
        let open: [String] = try await test.client.query(
            """
            select p.oid::regprocedure::text as name from \(Self.functions)
              and (p.proacl is null or exists (select from aclexplode(p.proacl) a where a.grantee = 0))
            """
        ).map { try $0("name") }
        #expect(open.isEmpty)
    }

    @Test("S46: no trigger function finds types, tables or operators that the session has made")
    func searchPaths() async throws {
        let test = try await TestDatabase.make()
        let open: [String] = try await test.client.query(
            """
            select p.oid::regprocedure::text as name from \(Self.functions)
              and p.prorettype = 'trigger'::regtype
              and not coalesce('search_path=pg_catalog, pg_temp' = any (p.proconfig), false)
            order by 1
            """
        ).map { try $0("name") }
        #expect(open.isEmpty)
    }

    @Test("What approvals and publications call keeps its plans: PostgreSQL plans functions in SQL for each statement")
    func plans() async throws {
        let test = try await TestDatabase.make()
        let planned: [String] = try await test.client.query(
            """
            select p.oid::regprocedure::text as name
            from \(Self.functions) and p.prolang = (select oid from pg_language where lanname = 'sql')
              and p.proname in ('add_events', 'announce_publication', 'approvals_of', 'begin_publication', 'contain_entry',
                  'contain_row', 'contain_rows', 'current_revisions', 'groups_of', 'has_category_feeds', 'has_event',
                  'has_restricted_accounts', 'may_change', 'names', 'permitted', 'permissions_of', 'rejected_by', 'role_has',
                  'setting', 'stages_of', 'submission_state', 'synonyms', 'synonyms_text')
            order by 1
            """
        ).map { try $0("name") }
        #expect(planned.isEmpty)
    }

    @Test("What triggers and statements call in turn has its own search path: PostgreSQL plans again when it changes")
    func plansOfTriggers() async throws {
        let test = try await TestDatabase.make()
        let pinned: [String] = try await test.client.query(
            """
            select p.proname as name from \(Self.functions)
              and p.proname in ('approvals_of', 'setting') and 'search_path=pg_catalog, pg_temp' = any (p.proconfig)
            order by 1
            """
        ).map { try $0("name") }
        #expect(pinned == ["approvals_of", "setting"])
    }

    private static let state: SQL = """
        select md5(string_agg(pg_get_functiondef(p.oid) || coalesce(p.proacl::text, ''), '' order by p.oid::regprocedure::text))
            || (select md5(string_agg(pg_get_viewdef(c.oid) || c.relacl::text, '' order by c.oid::regclass::text))
                from pg_class c where c.relkind = 'v' and c.relnamespace::regnamespace::text in ('curation', 'projection'))
            as state
        from \(functions)
        """

    /// A session with a plan that calls a function finds it by its OID.
    private static let oids: SQL = "select string_agg(p.oid::text, ' ' order by p.oid) as oids from \(functions)"

    @Test("A changed text replaces all views, and all functions in place; functions of no text are dropped")
    func replacement() async throws {
        let test = try await TestDatabase.make()
        let owner = test.superuser()
        let before: String = try await owner.one(Self.state)("state")
        let oids: String = try await owner.one(Self.oids)("oids")
        try await owner.run(
            script: """
                create function projection.item_by_nothing(p_publication bigint) returns table (id uuid) language sql stable
                    as 'select null::uuid where false';
                create or replace function curation.submission_state(submission uuid) returns text language sql stable
                    as 'select ''pending''';
                grant execute on function curation.submission_state(uuid) to vitrine_guest;
                update projection.read_table set checksum = 'another';
                """)
        let roles = try #require(TestDatabase.roles)
        try await Schema(client: owner, roles: roles, packs: TestDatabase.packs).migrate(
            types: test.rules.types, version: "test")
        #expect(try await owner.one(Self.state)("state") == before)
        #expect(try await owner.one(Self.oids)("oids") == oids)
        #expect(try await test.database.publications.verify().isEmpty)
    }

    @Test(
        "A function whose results or parameters changed is replaced, too",
        arguments: [
            """
            drop function curation.submission_state(uuid);
            create function curation.submission_state(submission uuid) returns integer language sql stable as 'select 1';
            """,
            """
            drop function curation.submission_state(uuid);
            create function curation.submission_state(other uuid) returns text language sql stable as 'select ''pending''';
            """,
            // Views that call it would keep it.
            """
            create function projection.age(at timestamptz, digits integer default 0) returns bigint language sql stable
                as 'select 1::bigint';
            """,
            """
            create function projection.coordinates(lat numeric, lon numeric) returns text language sql stable as 'select ''x''';
            """,
        ])
    func signatures(change: String) async throws {
        let test = try await TestDatabase.make()
        let owner = test.superuser()
        let before: String = try await owner.one(Self.state)("state")
        try await owner.run(
            script: "set role vitrine_owner; \(change) update projection.read_table set checksum = 'another'")
        let roles = try #require(TestDatabase.roles)
        try await Schema(client: owner, roles: roles, packs: TestDatabase.packs).migrate(
            types: test.rules.types, version: "test")
        #expect(try await owner.one(Self.state)("state") == before)
    }
}
