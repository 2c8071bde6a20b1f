// Creates or upgrades the schema of a database: roles, tables, functions, projections, content types, default content.
import Domain
import Postgres

package struct Schema: Sendable {
    let client: PostgresClient
    let roles: Roles
    let packs: PackSet
    /// Of all functions and projections.
    let checksum: String

    /// `client` must be connected as a user that may create roles and schemas, not as the daemon's role.
    package init(client: PostgresClient, roles: Roles, packs: PackSet) {
        self.client = client
        self.roles = roles
        self.packs = packs
        checksum = packs.checksum
    }

    func migrator(_ migrations: [Pack.Script]) -> Migrator {
        Migrator(migrations: migrations.map { Migration(name: $0.name, text: filled($0.text)) })
    }

    private func filled(_ text: [UInt8]) -> String { roles.fill(packs.completed(text)) }

    /// The names of the migrations that are not applied yet.
    func pending() async throws -> [String] { try await migrator(packs.migrations).pending(client).map(\.name) }

    /// Those of the roles that do not exist or that the login may not use.
    package func missing(_ roles: [String]) async throws -> [String] {
        try await client.query(
            """
            select r.name from unnest(\(roles)::text[]) with ordinality as r (name, position)
            left join pg_roles p on p.rolname = r.name
            where p.oid is null or not pg_has_role(session_user, p.oid, 'member') order by r.position
            """
        ).map { try $0("name") }
    }

    /// Applies what is missing; `progress` gets the name of each step. Safe to run on many daemons at once, and again
    /// after being killed at any point. Refuses if a newer program than `version` migrated the database, because it
    /// would put back old functions and projections.
    package func migrate(
        types: ContentTypes, version: String, progress: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws {
        try await refuseNewer(than: version)
        try await client.run(script: roles.creation, named: "roles")
        try await migrator(Array(packs.migrations.prefix(1))).apply(with: client, author: version, progress: progress)
        let tables = migrator(Array(packs.migrations.dropFirst()))
        if try await !tables.pending(client).isEmpty {
            try await client.run(script: transaction(texts: packs.all.flatMap(\.early)), named: "functions of tables")
            try await tables.apply(with: client, author: version, progress: progress)
        }
        try await client.run(script: continuingAudit, named: "audit trail")
        try await installFunctions(version, progress)
        try await synchronize(types)
        try await client.run(script: finish(), named: "rights and default content")
    }

    /// What every run ends with: the triggers of new governed tables, repairs that are due, the rights on tables, and
    /// missing default content.
    func finish() throws -> String {
        """
        \(transaction("select ops.record_changed_tables();"))
        \(transaction(Self.repairing))
        grant usage on schema vitrine to \(roles.daemon);
        grant select on vitrine.migration to \(roles.daemon);
        begin;
        set local role \(roles.owner);
        \(dumping)
        \(try seed())
        commit;
        """
    }

    /// The daemon's login may run pg_dump, which reads every table and sequence (R25).
    private var dumping: String {
        let schemas = "curation, ops, projection, delivery, api_v1"
        return """
            grant select on all tables in schema \(schemas) to \(roles.daemon);
            grant select on all sequences in schema \(schemas) to \(roles.daemon);
            """
    }

    var continuingAudit: String { "begin;\nset local role \(roles.owner);\n\(Self.auditOrder)\ncommit;" }

    /// The transactions of a restored database may have higher numbers in its audit events than its new cluster has
    /// reached: then new transactions count from the end of the trail (`ops.audit_transaction`). Otherwise every visible
    /// transaction is below the end of the snapshot.
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

    private func seed() throws -> String {
        let defaults = JSONValue.array(try packs.defaults()).canonicalText
        return String(decoding: PackageResources.seed_sql, as: UTF8.self)
            .replacing("@defaults@", with: "$defaults$\(defaults)$defaults$::jsonb")
    }

    // MARK: Functions and projections

    /// Replaces all functions and views if the text of any of them has changed. The read tables stay as they are;
    /// `publish repair` updates them after a view has changed. Functions are replaced in place, because sessions that
    /// serve requests have plans with them. Only if one has other parameters or results than before, all are dropped.
    private func installFunctions(_ version: String, _ progress: @Sendable (String) -> Void) async throws {
        let installed = try await client.query(
            "select count(*) as n from projection.read_table where checksum = \(checksum)"
        ).first.map { try $0("n") as Int }
        guard installed != packs.projectedTables.count else { return }
        progress("functions")
        do {
            try await client.run(script: functionScript(version, dropsFirst: false), named: "functions")
        } catch let error as PostgresError where ["42P13", "42725", "2BP01"].contains(error.sqlState) {
            try await client.run(script: functionScript(version, dropsFirst: true), named: "functions")
        }
    }

    func functionScript(_ version: String, dropsFirst: Bool) -> String {
        let functions = packs.all.flatMap { $0.early + $0.functions } + packs.all.flatMap(\.shared)
        let others = roles.all.dropFirst().joined(separator: ", ")
        var script = guarding(version) + Self.rememberingPacks + Self.droppingViews
        // What is granted on a function is in its text.
        script += Self.forFunctions(
            "(\(Self.droppable)) p", dropsFirst ? "drop function %s" : "revoke all on function %s from \(others)")
        script += Self.rememberingFunctions
        script += functions.map(filled).joined(separator: "\n")
        // The functions may call each other in any order. From here on, they all exist.
        script += "\nset local check_function_bodies = on;\n"
        script += (packs.projections.map(\.text) + packs.all.map(\.dependencies)).map(filled).joined(separator: "\n")
        for (position, projection) in packs.projections.enumerated() {
            let key = projection.key.joined(separator: ",")
            let tables = projection.tables.joined(separator: ",")
            script += """

                select projection.install('\(projection.name)', \(position * 10), '{\(key)}', '{\(tables)}',
                    '\(projection.entry)', '\(checksum)');
                """
        }
        script += """

            select projection.install_all();
            \(Self.forFunctions("pg_proc p where \(Self.isRemembered)", "drop function %s"))
            revoke execute on all functions in schema curation, ops, delivery, api_v1, projection from public;
            grant select on all tables in schema projection to \(roles.daemon);
            \(recording(version))
            \(Self.comparingPacks)
            """
        return transaction(script)
    }

    private static let installedPacks = """
        (select 'packs: ' || i.packs from projection.installation i
         where i.checksum = (select min(r.checksum) from projection.read_table r))
        """

    private static let rememberingPacks = """
        select set_config('vitrine.packs', coalesce(\(installedPacks), ''), true);

        """

    /// With other packs than before, the projections of the core have other rows: search finds the entries of a pack only
    /// while it is enabled.
    private static let comparingPacks = """
        insert into projection.repair_due
        select n.packs from (select \(installedPacks) as packs) n where current_setting('vitrine.packs') not in ('', n.packs)
        on conflict do nothing;
        """

    /// Repairs the read tables if packs or a migration ask for it, after everything that projections read was written.
    private static let repairing = """
        do $$
        declare reasons text;
        begin
            with due as (delete from projection.repair_due returning reason)
            select string_agg(d.reason, ', ' order by d.reason) into reasons from due d;
            if reasons is null then return; end if;
            insert into ops.audit_event (actor_id, action, object_type, detail)
            values ('\(SystemActor.system)', 'publication.repair', 'publication', jsonb_build_object('reason', reasons));
            perform curation.repair('\(SystemActor.system)', reasons);
        end $$;
        """

    private static let droppingViews = """
        delete from projection.read_table;
        delete from projection.dependency;
        do $$ declare name text; begin
            for name in select format('%I.%I', schemaname, viewname) from pg_views
                where schemaname in ('curation', 'projection') loop
                execute format('drop view if exists %s cascade', name);
            end loop;
        end $$;

        """

    /// The functions on which no table depends.
    private static let droppable = """
        select p.oid, p.ctid from pg_proc p join pg_namespace n on n.oid = p.pronamespace
        where n.nspname in ('curation', 'ops', 'delivery', 'api_v1', 'projection') and not exists (
            select from pg_depend d where d.refclassid = 'pg_proc'::regclass and d.refobjid = p.oid)
        """

    /// Remembers where their rows are: a function that is replaced gets another row. If a new view uses one that is not
    /// replaced, dropping it at the end fails.
    private static let rememberingFunctions = """
        select set_config('vitrine.functions', coalesce((
            select string_agg(p.oid || ' ' || p.ctid, ';') from (\(droppable)) p), ''), true);

        """

    private static let isRemembered =
        "p.oid || ' ' || p.ctid = any (string_to_array(current_setting('vitrine.functions'), ';'))"

    private static func forFunctions(_ source: String, _ statement: String) -> String {
        """
        do $$ declare name text; begin
            for name in select p.oid::regprocedure::text from \(source) loop
                execute format('\(statement)', name);
            end loop;
        end $$;

        """
    }

    func transaction(texts: [[UInt8]]) -> String { transaction(texts.map(filled).joined(separator: "\n")) }

    /// Function bodies are not checked at first, because they name tables and functions that do not exist yet.
    private func transaction(_ script: String) -> String {
        """
        begin;
        select pg_advisory_xact_lock(hashtextextended('vitrine.functions', 0));
        set local role \(roles.owner);
        set local client_min_messages = warning;
        set local check_function_bodies = off;
        \(script)
        commit;
        """
    }

    // MARK: Content types

    /// Writes the process rules of the content types, which database constraints enforce.
    package func synchronize(_ types: ContentTypes) async throws {
        for type in types.all { _ = try await client.query("\(raw: Self.rules(of: type))") }
    }

    /// With other text fields than before, search finds other rows: the read tables have to be repaired. A field that was
    /// internal stays so when a type doesn't declare it any more, because entries keep its values.
    static func rules(of type: ContentType) -> String {
        func array(_ names: [String]) -> String { "array[\(names.map(quoted).joined(separator: ", "))]::text[]" }
        return """
            with due as (
                insert into projection.repair_due
                select 'text fields' where exists (select from curation.publication) and exists (
                    select from curation.content_type t
                    where t.name = \(quoted(type.name)) and t.text_fields <> \(array(type.textFields)))
                on conflict do nothing)
            insert into curation.content_type (name, kind, required_approvals, four_eyes, internal_fields, text_fields)
            values (\(quoted(type.name)), \(quoted(type.kind.rawValue)), \(type.requiredApprovals), \(type.fourEyes),
                \(array(type.internalFields)), \(array(type.textFields)))
            on conflict (name) do update set kind = excluded.kind,
                required_approvals = excluded.required_approvals, four_eyes = excluded.four_eyes,
                internal_fields = excluded.internal_fields || array(
                    select f from unnest(content_type.internal_fields) f
                    where f <> all(\(array(type.fields.map(\.name))) || excluded.internal_fields)),
                text_fields = excluded.text_fields
            where content_type.* is distinct from excluded.*
            """
    }

    static func quoted(_ text: String) -> String { "'\(text.replacing("'", with: "''"))'" }
}
