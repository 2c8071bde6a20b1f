// Reads the content of a release for a bundle that transfers it to another deployment.
import Domain
import Postgres

package struct ReleaseBundleStore: Sendable {
    let connection: StoreConnection

    /// The entries that the release publishes or unpublishes (then without content), ordered by ID.
    package func entries(of number: Int64) async throws -> [JSONValue] {
        try await connection.rows(
            """
            select jsonb_build_object('id', i.entry_id, 'type', e.type, 'content', r.content, 'note', r.note) as entry
            from curation.release s join curation.release_item i on i.release_id = s.id
            join curation.entry e on e.id = i.entry_id left join curation.revision r on r.id = i.revision_id
            where s.number = \(number) order by i.entry_id
            """
        ) { try $0("entry") }
    }

    /// The images that these revisions use, with their files.
    package func media(of number: Int64) async throws -> [JSONValue] {
        try await connection.rows(
            """
            select jsonb_build_object('id', m.id, 'name', m.name, 'type', v.type, 'alt', m.alt, 'focus_x', m.focus_x,
                'focus_y', m.focus_y, 'upload_sha256', encode(v.upload_sha256, 'hex'), 'files', (
                    select jsonb_agg(jsonb_build_object('path', f.path, 'width', f.width, 'height', f.height,
                        'bytes', f.bytes, 'sha256', f.sha256) order by f.width)
                    from ops.media_file f where f.version_id = v.id)) as media
            from ops.media m join ops.media_version v on v.media_id = m.id where v.id in (
                select distinct on (u.media_id) u.version_id from curation.release s join curation.release_item i on i.release_id = s.id
                join curation.media_use u on u.revision_id = i.revision_id where s.number = \(number) and u.media_id is not null
                order by u.media_id, (select n.number from ops.media_version n where n.id = u.version_id) desc)
            order by m.id
            """
        ) { try $0("media") }
    }

    /// Adds missing entries with their original IDs. An ID that another type uses is a conflict.
    package func addEntries(_ entries: [(id: ID<Entry>, type: ContentType)], by actor: Actor) async throws {
        try await connection.run(
            """
            insert into curation.entry (id, type, kind, created_by)
            select i, t, k, \(actor.rowID) from unnest(\(entries.map(\.id))::uuid[], \(entries.map(\.type.name))::text[],
                \(entries.map(\.type.kind.rawValue))::text[]) u (i, t, k)
            on conflict (id) do nothing
            """)
    }
}
