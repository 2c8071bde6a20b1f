// Finishes an import: checks the imported records, and computes counts and read tables from them.
import Domain
import Postgres

extension BundleLoader {
    /// Computes counts and read tables; returns the number of read table rows. Publications keep their numbers and no new one
    /// is added, so clients of the old database can continue with the new one.
    package func finish() async throws -> Int64 {
        try await check(
            "curation.publish_approval", "publish_approval_approvals",
            "a revision is approved for publishing but has no approval",
            """
            select count(*) as n from curation.publish_approval a
            where not exists (select from curation.approval c where c.revision_id = a.revision_id)
            """
        )
        try await check(
            "curation.publication_counter", "publication_counter", "the counter does not match the last publication",
            """
            select count(*) as n from (select max(number) as last from curation.publication) p
            where coalesce(p.last, 0) is distinct from (select number from curation.publication_counter)
            """)
        try await check(
            "ops.media", "media_file", "an image has no files",
            """
            select count(*) as n from ops.media m
            where not exists (select from ops.media_file f where f.version_id = m.version_id)
            """)
        try await transaction.execute(
            "update curation.release r set publication = p.number from curation.publication p where p.release_id = r.id"
        )
        try await transaction.execute(
            "insert into ops.webhook_backoff (webhook_id) select id from ops.webhook on conflict do nothing")
        for (table, column) in packs.all.flatMap(\.bundle.numbered) {
            try await transaction.execute(
                """
                select setval(pg_get_serial_sequence(\(table), \(column)), coalesce(max(\(raw: column)), 1), count(*) > 0)
                from \(raw: table)
                """)
        }
        try await transaction.execute("alter table curation.publish_approval enable trigger user")
        try await transaction.execute("alter table curation.publish_approval enable always trigger recorded")
        try await transaction.execute("alter table curation.live enable trigger check_images")
        try await transaction.execute("alter table curation.decision enable trigger outcome")
        try await transaction.execute("alter table curation.decision enable trigger approvals")
        try await transaction.execute("alter table curation.submission_approval enable trigger allowed")
        // Background tasks process everything from the beginning.
        try await transaction.execute(
            """
            update curation.screening_cursor set publication = 0, trained_to = '2000-01-01 00:00+00', spam = 0, ham = 0,
                entry_id = '00000000-0000-0000-0000-000000000000'
            """)
        // With the statistics of an empty database, the next steps would take hours.
        for table in packs.bundleTables where !table.keepsRows {
            try await transaction.execute("analyze \(raw: table.table)")
        }
        return try await fillReadTables()
    }

    private func fillReadTables() async throws -> Int64 {
        try await transaction.execute(
            """
            insert into curation.category_merge (category_id, target_id)
            select category_id, target_id from projection.category_merge
            """)
        for table in packs.all.flatMap(\.bundle.counted) {
            try await transaction.execute("insert into curation.\(raw: table) select * from projection.\(raw: table)")
        }
        let result = try await transaction.one(
            """
            select b.inserted from curation.publication_counter c
            cross join lateral projection.repair_all(c.number, c.change_number) b
            """)
        // The bundle contains the change feed; these inserts are not changes for clients.
        try await transaction.execute(
            "delete from api_v1.change where number > (select change_number from curation.publication_counter)")
        try await transaction.execute(
            """
            insert into api_v1.publication (number, published_at, changes, tag)
            select number, published_at, inserted + updated + deleted, tag from curation.publication
            """)
        try await transaction.execute("select curation.announce_publication()")
        return try result("inserted")
    }

    private func check(_ table: String, _ code: String, _ message: String, _ query: SQL) async throws {
        let count: Int = try await transaction.one(query)("n")
        if count > 0 {
            throw Failure.invalid(FieldErrors(table, code, "The bundle is inconsistent: \(message). Export it again."))
        }
    }
}
