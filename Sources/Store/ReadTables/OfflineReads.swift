// Reads the offline manifest of a feed and its files (A30, A39). For readers only: guests may not see them.
import Domain
import Postgres

package struct OfflineReads: Sendable {
    /// Pages of files are larger than pages of documents: an app fetches all of them, and each is short.
    package static let size = 500

    let connection: StoreConnection

    /// The manifest of a feed with one page of its files; one query, so that both belong to one publication.
    package func find(
        _ feed: IDOrSlug, cursor: String?
    ) async throws -> (manifest: [UInt8], files: DocumentPage)? {
        var condition: SQL = "true"
        if let cursor {
            let cursor = try Cursor(parsing: cursor, count: 2)
            condition = "(f.media_id, f.width) > (\(try cursor.uuid(0))::uuid, \(try cursor.integer(1))::bigint)"
        }
        let id: SQL =
            switch feed {
            case .id(let id): "\(id)::uuid"
            case .slug(let slug): "(select f.id from api_v1.feed f where f.slug = \(slug))"
            }
        let rows = try await connection.rows(
            """
            select m.document as manifest, f.document, f.media_id, f.width
            from api_v1.offline_manifest m
            left join lateral (
                select * from api_v1.offline_file f where f.feed_id = m.feed_id and \(condition)
                order by f.media_id, f.width limit \(fixed: Self.size + 1)) f on true
            where m.feed_id = \(id)
            """)
        guard let first = rows.first else { return nil }
        let files = try rows.filter { try $0("media_id") as String? != nil }
        return (
            try first.bytes("manifest"),
            try DocumentPage(files, cursor: ["media_id", "width"], size: Self.size)
        )
    }

    /// The number of files, their bytes and the version of these feeds.
    package func sizes(of feeds: [ID<Entry>]) async throws -> [ID<Entry>: (files: Int, bytes: Int, version: String)] {
        let rows = try await connection.rows(
            """
            select feed_id, file_count, bytes, version from api_v1.offline_manifest
            where feed_id = any(\(feeds)::uuid[])
            """
        ) {
            (
                try $0("feed_id") as ID<Entry>,
                (
                    files: try $0("file_count") as Int, bytes: try $0("bytes") as Int,
                    version: try $0("version") as String
                )
            )
        }
        return Dictionary(rows) { first, _ in first }
    }
}
