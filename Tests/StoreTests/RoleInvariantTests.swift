// Tests the limits of the daemon's database roles: ownership, creation, write access, membership.
import Postgres
import Store
import TestSupport
import Testing

@Suite("Database roles", .databases)
struct RoleInvariantTests {
    private static let roles = [
        "vitrine_daemon", "vitrine_sign_in", "vitrine_schedule", "vitrine_operator", "vitrine_delivery",
        "vitrine_reader",
        "vitrine_guest",
    ]
    /// These may do what the daemon may.
    private static let members = [
        "vitrine_sign_in": ["vitrine_daemon"], "vitrine_schedule": ["vitrine_daemon"],
        "vitrine_operator": ["vitrine_schedule", "vitrine_sign_in"],
    ]

    @Test(
        "S46: no serving role owns anything, may create anything, or is a member of others than named", arguments: roles
    )
    func ownsNothing(_ role: String) async throws {
        let test = try await TestDatabase.make()
        let found: [String] = try await test.client.query(
            """
            select 'owns ' || c.oid::regclass as what from pg_class c where c.relowner = \(role)::regrole
            union all select 'owns ' || p.oid::regprocedure from pg_proc p where p.proowner = \(role)::regrole
            union all select 'owns schema ' || n.nspname from pg_namespace n where n.nspowner = \(role)::regrole
            union all select 'may create in ' || n.nspname from pg_namespace n
                where n.nspname !~ '^pg_(toast|temp)' and has_schema_privilege(\(role), n.oid, 'create')
            union all select 'may create schemas' where has_database_privilege(\(role), current_database(), 'create')
            union all select 'is more than a role' from pg_roles r where r.rolname = \(role)
                and (r.rolsuper or r.rolcreaterole or r.rolcreatedb or r.rolreplication or r.rolbypassrls)
            union all select 'is a member of ' || m.roleid::regrole from pg_auth_members m
                where m.member = \(role)::regrole
            union all select 'may alter ' || c.oid::regclass from pg_class c join pg_namespace n on n.oid = c.relnamespace
                where n.nspname in ('curation', 'ops', 'delivery', 'api_v1', 'projection') and c.relkind = 'r'
                  and has_table_privilege(\(role), c.oid, 'truncate, trigger, references')
            order by 1
            """
        ).map { try $0("what") }
        let expected = Self.members[role, default: []].map { "is a member of \($0)" }
        #expect(found == expected, "\(role) \(found.joined(separator: "; "))")
    }

    @Test("R25: the daemon's login may dump the database: it reads every table and sequence")
    func dump() async throws {
        let test = try await TestDatabase.make()
        let unreadable: [String] = try await test.client.query(
            """
            select c.oid::regclass::text as what from pg_class c join pg_namespace n on n.oid = c.relnamespace
            where n.nspname in ('curation', 'ops', 'delivery', 'api_v1', 'projection', 'vitrine')
              and c.relkind in ('r', 'v', 'm', 'p', 'S') and not case c.relkind
                  when 'S' then has_sequence_privilege('vitrine_daemon', c.oid, 'select')
                  else has_table_privilege('vitrine_daemon', c.oid, 'select') end
            order by 1
            """
        ).map { try $0("what") }
        #expect(unreadable.isEmpty, "\(unreadable.joined(separator: "; "))")
    }

    @Test("S46, R5: no serving role writes the read tables; only a publication does")
    func readTables() async throws {
        let test = try await TestDatabase.make()
        let open: [String] = try await test.client.query(
            """
            select r.name || ' ' || c.oid::regclass as what
            from unnest(\(Self.roles)::text[]) as r (name), pg_class c join pg_namespace n on n.oid = c.relnamespace
            where n.nspname in ('api_v1', 'projection') and c.relkind in ('r', 'v', 'm', 'p')
              and (has_table_privilege(r.name, c.oid, 'insert, update, delete, truncate')
                or has_any_column_privilege(r.name, c.oid, 'insert, update'))
            order by 1
            """
        ).map { try $0("what") }
        #expect(open.isEmpty, "\(open.joined(separator: "; "))")
        for statement in [
            "update api_v1.item set title = 'x'", "delete from api_v1.item", "create table api_v1.x ()",
            "create schema x", "create function ops.x() returns int language sql as 'select 1'",
            "create view curation.x as select 1", "alter table curation.entry add column x int",
            "drop table ops.audit_event", "create role x", "copy ops.account to program 'true'",
            "alter table curation.revision disable trigger user",
        ] {
            let error = try await #require(throws: PostgresError.self, "\(statement)") {
                try await test.daemon.execute("\(raw: statement)")
            }
            #expect(error.sqlState == "42501", "\(statement): \(error.sqlState) \(error.message)")
        }
    }
}
