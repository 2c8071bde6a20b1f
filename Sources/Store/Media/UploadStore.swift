// Uploads that are not finished: what has arrived so far, by account.
import Domain
import FoundationEssentials
import Postgres

package struct UploadRow: Sendable {
    package let key: String
    package let name: String
    /// In bytes: of the whole file, and of what has arrived.
    package let size: Int
    package let received: Int
    /// The image, once the upload is finished.
    package let media: ID<Media>?

    init(row: Row) throws {
        key = try row("key")
        name = try row("name")
        size = try row("size")
        received = try row("received")
        media = try row("media_id")
    }
}

package struct UploadStore: Sendable {
    let connection: StoreConnection

    /// Expired uploads don't exist any more, even before they are deleted.
    private static let isCurrent: SQL = "changed_at > now() - interval '24 hours'"

    package func find(_ key: String, of account: ID<Account>) async throws -> UploadRow? {
        try await connection.first(
            """
            select key, name, size, received, media_id from ops.upload
            where account_id = \(account) and key = \(key) and \(Self.isCurrent)
            """, UploadRow.init)
    }

    /// Begins an upload, unless there is one with this key.
    package func begin(_ key: String, name: String, size: Int, of account: ID<Account>) async throws {
        try await connection.run(
            "delete from ops.upload where account_id = \(account) and key = \(key) and not (\(Self.isCurrent))")
        try await connection.run(
            """
            insert into ops.upload (account_id, key, name, size) values (\(account), \(key), \(name), \(size))
            on conflict (account_id, key) do nothing
            """)
    }

    /// Adds bytes if exactly `start` bytes have arrived and they fit; false otherwise. The row's lock orders two requests with
    /// the same bytes, and the second one finds another number.
    package func add(_ bytes: [UInt8], at start: Int, to key: String, of account: ID<Account>) async throws -> Bool {
        try await connection.run(
            """
            with u as (
                update ops.upload set received = received + \(bytes.count), changed_at = clock_timestamp()
                where account_id = \(account) and key = \(key) and received = \(start)
                    and received + \(bytes.count) <= size and media_id is null and \(Self.isCurrent)
                returning account_id, key)
            insert into ops.upload_part (account_id, key, start, bytes)
            select account_id, key, \(start), \(bytes) from u
            """) == 1
    }

    /// All bytes of an upload.
    package func bytes(_ upload: UploadRow, of account: ID<Account>) async throws -> [UInt8] {
        let parts: [[UInt8]] = try await connection.rows(
            "select bytes from ops.upload_part where account_id = \(account) and key = \(upload.key) order by start"
        ) { try $0("bytes") }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(upload.size)
        for part in parts { bytes += part }
        return bytes
    }

    /// Records the image of an upload and deletes its bytes.
    package func finish(_ key: String, as media: ID<Media>, of account: ID<Account>) async throws {
        try await connection.run(
            """
            with p as (delete from ops.upload_part where account_id = \(account) and key = \(key))
            update ops.upload set media_id = \(media), changed_at = clock_timestamp()
            where account_id = \(account) and key = \(key)
            """)
    }

    package func remove(_ key: String, of account: ID<Account>) async throws {
        try await connection.run("delete from ops.upload where account_id = \(account) and key = \(key)")
    }

    /// Deletes what nobody continued for a day.
    package func sweep() async throws {
        try await connection.run("delete from ops.upload where not (\(Self.isCurrent))")
    }
}
