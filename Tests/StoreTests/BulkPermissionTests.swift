// Tests that what a bulk action looks up for each row does not grow with the audit events of its transaction.
import Domain
import Postgres
import Store
import TestSupport
import Testing

@Suite("Permissions of bulk actions", .databases)
struct BulkPermissionTests {
    @Test("S15: a statement reads the permissions of each actor once, not for each audit event")
    func calls() async throws {
        let test = try await TestDatabase.make()
        let sender = try await test.clientActor([.submit])
        let curator = try await test.actor(.curator, name: "Carl")
        let restricted = try await test.actor(.curator, name: "Vic")
        try await test.writeUnchecked("update ops.account set types = '{video}' where id = \(restricted.rowID)")
        for number in 1...40 { _ = try await test.submit("Title \(number)", by: sender) }
        let calls: Int = try await test.client.transaction { transaction in
            try await transaction.execute("set local track_functions = 'all'")
            try await transaction.execute(
                """
                insert into ops.audit_event (actor_id, actor_role, action, object_type, object_id)
                select \(curator.rowID)::uuid, 'curator', 'submission.reject', 'submission', id::text from curation.submission
                """)
            try await transaction.execute(
                """
                insert into curation.decision (submission_id, number, verdict, reason, decided_by, decider_role)
                select id, 1, 'reject', 'spam', \(curator.rowID)::uuid, 'curator' from curation.submission
                """)
            // Nobody who acts may publish.
            let publishers: Int = try await transaction.one(
                "select cardinality(ops.restricting('publish')) as n")("n")
            #expect(publishers == 0)
            return try await transaction.one(
                "select calls from pg_stat_xact_user_functions where funcname = 'permissions_of'")("calls")
        }
        #expect(calls > 0 && calls < 10)
    }

    @Test("S15: an access scope costs each row the same, however many audit events the transaction has")
    func scope() async throws {
        let (owner, _, restricted, _) = try await Self.world(submissions: 40)
        let few = try await eventsRead(owner, [Self.events(of: restricted, 10)] + Self.approving(10, by: restricted))
        let many = try await eventsRead(owner, [Self.events(of: restricted, 40)] + Self.approving(40, by: restricted))
        // Four times as many rows, and as many events.
        #expect(few > 0 && many < few * 6, "\(few), \(many)")
    }

    @Test("S15: a statement finds who acts without reading all audit events of its transaction")
    func statements() async throws {
        let (owner, sender, restricted, _) = try await Self.world(submissions: 3)
        // One by one, as entries with paths and catalog items are written.
        let rows = (1...3).flatMap { _ in Self.approving(1, by: restricted) }
        let few = try await eventsRead(
            owner, [Self.events(of: sender, 3), Self.events(of: restricted, 3)] + rows)
        let many = try await eventsRead(
            owner, [Self.events(of: sender, 2_000), Self.events(of: restricted, 2_000)] + rows)
        // Reading all would be hundreds of times as many.
        #expect(few > 0 && many < few * 3, "\(few), \(many)")
    }

    @Test(
        "S15: each person who acts in a transaction is found among many audit events",
        arguments: [
            (false, "t f f t f f t t 2 1 t curator"),
            // Imports may write everything, whatever the role.
            (true, "t t t t t t t f 3 t publisher"),
        ])
    func actors(isImport: Bool, answers: String) async throws {
        let (owner, sender, restricted, absent) = try await Self.world(submissions: 0)
        let read = try await eventsRead(
            owner,
            [
                Self.events(of: sender, 500), Self.events(of: restricted, 500),
                Self.events(of: Actor(kind: .system, name: "import"), isImport ? 1 : 0),
            ],
            asking: """
                select concat_ws(' ', ops.has_event(\(restricted.rowID)::uuid), ops.has_event(\(absent.rowID)::uuid),
                    ops.has_event(null), ops.may_change('decide'), ops.may_change('administer'), ops.may_administer(),
                    ops.has_several_actors(), ops.permitted('decide') = array[\(restricted.rowID)::uuid],
                    cardinality(ops.permitted('decide,submit')), cardinality(ops.restricting('decide')),
                    ops.restricting('decide,submit') is null,
                    ops.acting_role(\(restricted.rowID)::uuid, 'publisher')) as text
                """, answers)
        #expect(read > 0 && read < 60)
    }

    @Test("S15: a person who acts alone is found among many audit events")
    func alone() async throws {
        let (owner, _, restricted, _) = try await Self.world(submissions: 0)
        let read = try await eventsRead(
            owner, [Self.events(of: restricted, 500)],
            asking: """
                select concat_ws(' ', ops.has_several_actors(), ops.permitted('decide') = array[\(restricted.rowID)::uuid],
                    cardinality(ops.permitted('administer')), cardinality(ops.restricting('decide')),
                    cardinality(ops.restricting('administer'))) as text
                """, "f t 0 1 0")
        #expect(read > 0 && read < 20)
    }

    @Test("S15: who acts is found by the index, also after a large import in one transaction")
    func afterImport() async throws {
        let (owner, _, restricted, _) = try await Self.world(submissions: 0)
        try await owner.execute(Self.events(of: restricted, 20_000))
        // PostgreSQL then takes every transaction for as large.
        try await owner.execute("analyze ops.audit_event")
        let read = try await eventsRead(
            owner, [Self.events(of: restricted, 1)],
            asking: """
                select concat_ws(' ', ops.has_several_actors(), ops.has_event(\(restricted.rowID)::uuid),
                    ops.may_change('decide'), ops.permitted('decide') = array[\(restricted.rowID)::uuid],
                    cardinality(ops.restricting('decide'))) as text
                """, "f t t t 1", isChosen: true)
        #expect(read > 0 && read < 20, "\(read)")
    }

    @Test("S15: the names of all categories are read for submissions that request a category, once")
    func categories() async throws {
        let (owner, _, restricted, _) = try await Self.world(submissions: 3)
        try await owner.transaction { transaction in
            try await transaction.execute("set local session_replication_role = replica")
            try await transaction.execute("set local track_functions = 'all'")
            try await transaction.execute(
                """
                update ops.account set types = null, groups = array[\(SeedEntry.unsorted)::uuid]
                where id = \(restricted.rowID)
                """)
            for expected in [0, 1] {
                let isContained: Bool = try await transaction.one(
                    """
                    select ops.contain_submissions(array[a], array(select id from curation.submission)) as contained
                    from ops.account a where a.id = \(restricted.rowID)
                    """)("contained")
                #expect(isContained)
                let calls: Int = try await transaction.one(
                    """
                    select coalesce(max(calls), 0) as n from pg_stat_xact_user_functions where funcname = 'names_outside'
                    """)("n")
                #expect(calls == expected)
                try await transaction.execute("update curation.submission set requested_category = 'Walks'")
            }
        }
    }

    /// A sender with submissions, somebody with an access scope, and somebody without.
    private static func world(submissions: Int) async throws -> (PostgresClient, Actor, Actor, Actor) {
        let test = try await TestDatabase.make()
        let sender = try await test.clientActor([.submit])
        let restricted = try await test.actor(.curator, name: "Vic")
        let absent = try await test.actor(.curator, name: "Ann")
        try await test.writeUnchecked("update ops.account set types = '{article}' where id = \(restricted.rowID)")
        for number in 0..<submissions { _ = try await test.submit("Title \(number)", by: sender) }
        return (test.client, sender, restricted, absent)
    }

    private static func events(of actor: Actor, _ count: Int) -> SQL {
        """
        insert into ops.audit_event (actor_id, actor_role, action, object_type)
        select \(actor.rowID)::uuid, \(actor.role?.name)::text, 'submission.approve', 'submission'
        from generate_series(1, \(count)::integer)
        """
    }

    /// Approves and writes the next submissions, each table in one statement.
    private static func approving(_ count: Int, by actor: Actor) -> [SQL] {
        let written: SQL = """
            from curation.revision r join curation.entry e on e.id = r.entry_id where e.submission_id is not null
            """
        return [
            """
            insert into curation.decision (submission_id, number, verdict, decided_by, decider_role)
            select s.id, 1, 'approve', \(actor.rowID)::uuid, 'curator' from curation.submission s
            where not exists (select from curation.decision d where d.submission_id = s.id) order by s.id limit \(count)
            """,
            """
            insert into curation.entry (type, kind, submission_id, created_by)
            select 'article', 'item', d.submission_id, \(SystemActor.contributor)::uuid from curation.decision d
            where not exists (select from curation.entry e where e.submission_id = d.submission_id)
            """,
            """
            insert into curation.revision (entry_id, number, content, preview, content_hash, author_id)
            select e.id, 1, '{"title": "Many"}', '{}', sha256('x'), e.created_by from curation.entry e
            where e.submission_id is not null and not exists (select from curation.revision r where r.entry_id = e.id)
            """,
            """
            insert into curation.reference (revision_id, field, position, target_entry_id)
            select r.id, 'categories', 1, \(SeedEntry.unsorted)::uuid \(written)
                and not exists (select from curation.reference f where f.revision_id = r.id)
            """,
            """
            insert into curation.approval (revision_id, actor_id, actor_role)
            select r.id, \(actor.rowID)::uuid, 'curator' \(written)
                and not exists (select from curation.approval a where a.revision_id = r.id)
            """,
            """
            insert into curation.publish_approval (revision_id, entry_id) select r.id, e.id \(written)
                and not exists (select from curation.publish_approval p where p.revision_id = r.id)
            """,
        ]
    }

    /// How many rows of the audit trail PostgreSQL reads for the statements and the question, which are then undone.
    /// `isChosen`: by the plans that it chooses for this table and keeps for any transaction; otherwise as if it were large.
    private func eventsRead(
        _ owner: PostgresClient, _ statements: [SQL], asking question: SQL = "select '' as text", _ answer: String = "",
        isChosen: Bool = false
    ) async throws -> Int {
        struct Undone: Error { let read: Int }
        do {
            try await owner.transaction(retries: 0) { transaction in
                try await transaction.execute(
                    isChosen ? "set local plan_cache_mode = force_generic_plan" : "set local enable_seqscan = off")
                for statement in statements { try await transaction.execute(statement) }
                let found: String = try await transaction.one(question)("text")
                #expect(found == answer)
                try await transaction.execute("set constraints all immediate")
                let read: Int = try await transaction.one(
                    """
                    select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as n
                    from pg_stat_xact_user_tables where relname = 'audit_event'
                    """)("n")
                throw Undone(read: read)
            }
            return 0
        } catch let undone as Undone {
            return undone.read
        }
    }
}
