// Brings a database to the schema of this program: roles, migrations, projections, content types, first rows.
import Domain
import Postgres

package struct Schema: Sendable {
    private let client: PostgresClient
    private let roles: Roles

    /// `client` must be connected as a user that may make roles and schemas, not as the daemon's role.
    package init(client: PostgresClient, roles: Roles) {
        self.client = client
        self.roles = roles
    }

    private var migrator: Migrator {
        Migrator(
            migrations: Migrations.all.map { name, text in
                Migration(name: name, text: roles.fill(String(decoding: text, as: UTF8.self)))
            })
    }

    /// The names of the migrations that are still to be applied.
    package func pending() async throws -> [String] {
        try await StoreFailure.translating { try await migrator.pending(client).map(\.name) }
    }

    /// What `migrate` would run, as SQL.
    package func dryRun() async throws -> String {
        try await StoreFailure.translating { try await migrator.dryRun(client) }
    }

    /// Applies what is missing; `progress` gets the name of each step. Safe to run on many daemons at once, and again
    /// after it was killed at any point.
    package func migrate(
        types: ContentTypes, version: String, progress: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws {
        try await client.run(script: roles.creation)
        try await migrator.apply(with: client, author: version, progress: progress)
        try await client.run(script: "begin; set local role \(roles.owner);\n\(Self.auditOrder)\ncommit;")
        try await installProjections(progress)
        try await synchronize(types)
        try await client.run(
            script:
                "grant usage on schema vitrine to \(roles.daemon); grant select on vitrine.migration to \(roles.daemon)"
        )
        try await client.run(script: "begin; set local role \(roles.owner);\n\(Self.seed)\ncommit;")
    }

    /// A restored database may stand in a cluster whose transactions have lower numbers than its audit events: from then on
    /// they count from where the trail ends (`ops.audit_transaction`). Whatever is visible is below the snapshot's end otherwise.
    private static let auditOrder = """
        do $$
        declare ahead bigint;
        begin
            select e.transaction::text::bigint - pg_snapshot_xmax(pg_current_snapshot())::text::bigint + 1 into ahead
            from ops.audit_event e
            where e.transaction >= ops.audit_transaction(pg_snapshot_xmax(pg_current_snapshot()))
            order by e.transaction desc limit 1;
            if ahead is null then return; end if;
            execute format('create or replace function ops.audit_transaction(transaction xid8) returns xid8
                language sql immutable parallel safe as $f$ select (transaction::text::bigint + %s)::text::xid8 $f$', ahead);
        end $$;
        """

    private static var seed: String {
        let defaults = String(decoding: PackageResources.defaults_json, as: UTF8.self)
        return String(decoding: PackageResources.seed_sql, as: UTF8.self)
            .replacing("@defaults@", with: "$defaults$\(defaults)$defaults$::jsonb")
    }

    /// The settings and texts that every deployment starts with, each an object with `type` and `fields`.
    package static func defaults() throws -> [JSONValue] {
        try JSONValue(parsing: PackageResources.defaults_json).arrayValue ?? []
    }

    /// Re-makes the views and functions of all projections when the text of any of them has changed. The read tables
    /// stay as they are; `publish rebuild` brings them up to a changed view.
    private func installProjections(_ progress: @Sendable (String) -> Void) async throws {
        let wanted = Self.projectionsChecksum
        let installed = try await client.query(
            "select count(*) as n from projection.read_table where checksum = \(wanted)"
        ).first.map { try $0("n") as Int }
        guard installed != Projections.tables.count else { return }
        progress("projections")
        try await client.run(script: projectionScript(checksum: wanted))
    }

    private func projectionScript(checksum: String) -> String {
        var script = """
            begin;
            select pg_advisory_xact_lock(hashtextextended('vitrine.projections', 0));
            set local role \(roles.owner);
            set local client_min_messages = warning;
            delete from projection.read_table;
            do $$ declare name text; begin
                for name in select viewname from pg_views where schemaname = 'projection' and viewname not in ('member_count', 'member_count_within', 'category_merge') loop
                    execute format('drop view if exists projection.%I cascade', name);
                end loop;
                for name in select oid::regprocedure::text from pg_proc
                    where pronamespace = 'projection'::regnamespace and proname ~ '_by_' and proname !~ '^difference' loop
                    execute 'drop function ' || name || ' cascade';
                end loop;
            end $$;

            """
        script += String(decoding: Projections.shared, as: UTF8.self)
        for projection in Projections.all { script += String(decoding: projection.text, as: UTF8.self) }
        for (position, projection) in Projections.all.enumerated() {
            let key = projection.key.joined(separator: ",")
            let tables = projection.tables.joined(separator: ",")
            script += """
                select projection.install('\(projection.name)', \(position * 10), '{\(key)}', '{\(tables)}', '\(checksum)');

                """
        }
        script += """
            select projection.install_all();
            revoke execute on all functions in schema projection from public;
            grant select on all tables in schema projection to \(roles.daemon);
            commit;
            """
        return script
    }

    /// FNV-1a over all projections: it only has to notice that a text was edited.
    private static var projectionsChecksum: String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in Projections.shared + Projections.all.flatMap(\.text) {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        return String(hash, radix: 16)
    }

    /// Writes the process rules of the content types, where the approval constraint reads them.
    package func synchronize(_ types: ContentTypes) async throws {
        for type in types.all {
            _ = try await client.query(
                """
                insert into curation.content_type (name, kind, consents, four_eyes)
                values (\(type.name), \(type.kind.rawValue), \(type.requiredApprovals), \(type.fourEyes))
                on conflict (name) do update
                set kind = excluded.kind, consents = excluded.consents, four_eyes = excluded.four_eyes
                where content_type.consents <> excluded.consents or content_type.four_eyes <> excluded.four_eyes
                    or content_type.kind <> excluded.kind
                """)
        }
    }
}
