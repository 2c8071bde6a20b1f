// Records which catalog items a revision references, with ranks that keep their order.
import Domain
import Postgres
import Store

extension CatalogStore {
    /// Writes the catalog items that a new revision references. An item that was not moved keeps its rank from the
    /// previous revision; content that existed before gets the ranks it had then, so that a rollback restores the same
    /// order.
    func addUses(_ new: NewRevision, type: ContentType, revision: ID<Revision>) async throws {
        for use in new.content.catalogUses(of: type) {
            let old = try await ranks(of: use.field, before: new)
            let ids = use.items.map(\.id)
            try await connection.run(
                """
                insert into curation.catalog_use (revision_id, field, position, item_id, note)
                select \(revision)::uuid, \(use.field), * from unnest(
                    \(SparseRanks.assign(ids, keeping: old))::bigint[], \(ids)::uuid[], \(use.items.map(\.note))::text[])
                """)
        }
    }

    private func ranks(of field: String, before new: NewRevision) async throws -> [ID<CatalogItem>: Int64] {
        let content = new.content.canonicalText
        let rows = try await connection.rows(
            """
            select u.item_id, u.position from curation.catalog_use u
            where u.field = \(field) and u.revision_id = (
                select id from curation.revision
                where entry_id = \(new.entry) and number < \(new.number)
                order by content_hash = sha256(convert_to(\(content), 'UTF8')) desc, number desc limit 1)
            """
        ) { (try $0("item_id") as ID<CatalogItem>, try $0("position") as Int64) }
        return Dictionary(rows) { first, _ in first }
    }
}
