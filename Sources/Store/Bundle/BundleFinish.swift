// The end of an import: what the truth leaves open is checked, and what is made from it is made.
import Domain
import Postgres

extension BundleLoader {
    /// Makes counts and read tables from what was added; gives the number of rows that readers see. The publications keep
    /// their numbers, and no new one is made: readers of the new database see what readers of the old one saw.
    package func finish() async throws -> Int64 {
        try await check(
            "curation.publish_approval", "publish_approval_approvals", "a version was approved though nobody agreed to it",
            "select count(*) as n from curation.publish_approval a where not exists (select from curation.approval c where c.revision_id = a.revision_id)"
        )
        try await check(
            "curation.publication_counter", "publication_counter", "the number of the last publication is not there",
            """
            select count(*) as n from (select max(number) as last from curation.publication) p
            where coalesce(p.last, 0) is distinct from (select number from curation.publication_counter)
            """)
        try await transaction.execute(
            "update curation.release r set publication = p.number from curation.publication p where p.release_id = r.id"
        )
        try await transaction.execute(
            "insert into ops.webhook_backoff (webhook_id) select id from ops.webhook on conflict do nothing")
        for (table, column) in [("curation.release", "number"), ("curation.validity_period", "id")] {
            try await transaction.execute(
                """
                select setval(pg_get_serial_sequence(\(table), \(column)), coalesce(max(\(raw: column)), 1), count(*) > 0)
                from \(raw: table)
                """)
        }
        try await transaction.execute("alter table curation.publish_approval enable trigger user")
        try await transaction.execute("alter table curation.live enable trigger images_are_complete")
        try await transaction.execute("alter table curation.decision enable trigger outcome")
        try await transaction.execute("alter table curation.decision enable trigger approvals")
        try await transaction.execute("alter table curation.submission_approval enable trigger allowed")
        // Tasks read and learn from the beginning.
        try await transaction.execute(
            """
            update curation.screening_clock set publication = 0, trained_to = '2000-01-01 00:00+00', spam = 0, ham = 0,
                entry_id = '00000000-0000-0000-0000-000000000000'
            """)
        // What the planner knows of an empty database would make the next steps take hours.
        for table in BundleTable.all where !table.isKept {
            try await transaction.execute("analyze \(raw: table.table)")
        }
        return try await makeReadTables()
    }

    private func makeReadTables() async throws -> Int64 {
        try await transaction.execute(
            "insert into curation.category_merge (category_id, into_id) select category_id, into_id from projection.category_merge")
        try await transaction.execute("insert into curation.member_count select * from projection.member_count")
        try await transaction.execute("insert into curation.member_count_within select * from projection.member_count_within")
        try await transaction.execute("insert into curation.media_count select * from projection.media_count")
        try await transaction.execute("insert into curation.media_total select * from projection.media_total")
        let made = try await transaction.one(
            """
            select b.inserted from curation.publication_counter c
            cross join lateral projection.rebuild_all(c.number, c.change_number) b
            """)
        // The bundle brought the log of what changed; that rows were made here is no news to readers.
        try await transaction.execute(
            "delete from api_v1.change where number > (select change_number from curation.publication_counter)")
        try await transaction.execute(
            """
            insert into api_v1.publication (number, published_at, changes)
            select number, published_at, inserted + updated + deleted from curation.publication
            """)
        try await transaction.execute(
            "select pg_notify('vitrine_publication', number::text) from curation.publication_counter")
        return try made("inserted")
    }

    private func check(_ table: String, _ code: String, _ message: String, _ count: SQL) async throws {
        let wrong: Int = try await transaction.one(count)("n")
        if wrong > 0 {
            throw Failure.invalid(FieldErrors(table, code, "The bundle does not hold together: \(message)."))
        }
    }
}
