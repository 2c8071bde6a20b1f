// Versions of images: a replaced file or another crop. One of them is current; published content keeps its own.
import Domain
import FoundationEssentials
import Postgres

package struct MediaVersionRow: Sendable {
    package let id: UUID
    package let media: ID<Media>
    /// From 1 for each image.
    package let number: Int
    package let uploadHash: [UInt8]
    package let type: String
    /// The path of the full-size file without a crop.
    package let source: String
    package let crop: ImageCrop
    package let author: String
    package let createdAt: Date
    package let isCurrent: Bool
    /// The path of the narrowest file, with its size.
    package let thumbnail: Thumbnail

    init(row: Row) throws {
        id = try row("id")
        media = try row("media_id")
        number = try row("number")
        uploadHash = try row("upload_sha256")
        type = try row("type")
        source = try row("source")
        crop = try ImageCrop(row: row)
        author = try row("author")
        createdAt = try row("created_at")
        isCurrent = try row("is_current")
        thumbnail = Thumbnail(path: try row("path"), width: try row("width"), height: try row("height"))
    }
}

/// A version whose files are already stored.
package struct NewMediaVersion: Sendable {
    package let uploadHash: [UInt8]
    package let type: String
    /// Nil: the full-size file of this version.
    package let source: String?
    package let crop: ImageCrop
    package let files: [ImageValue.File]

    package init(
        uploadHash: [UInt8], type: String, source: String? = nil, crop: ImageCrop = .whole, files: [ImageValue.File]
    ) {
        self.uploadHash = uploadHash
        self.type = type
        self.source = source
        self.crop = crop
        self.files = files
    }
}

package struct MediaVersionStore: Sendable {
    let connection: StoreConnection

    /// Versions that nothing shows are deleted when there are this many newer ones.
    package static let kept = 20

    private static let rows: SQL = """
        select v.*, a.name as author, m.version_id = v.id as is_current, f.path, f.width, f.height
        from ops.media_version v
        join ops.media m on m.id = v.media_id
        join ops.actor a on a.id = v.created_by
        cross join lateral (
            select path, width, height from ops.media_file where version_id = v.id order by width limit 1) f
        """

    /// The newest versions.
    package func list(of media: ID<Media>, limit: Int = 50) async throws -> [MediaVersionRow] {
        try await connection.rows(
            "\(Self.rows) where v.media_id = \(media) order by v.number desc limit \(limit)", MediaVersionRow.init)
    }

    package func find(_ number: Int, of media: ID<Media>) async throws -> MediaVersionRow? {
        try await connection.first(
            "\(Self.rows) where v.media_id = \(media) and v.number = \(number)", MediaVersionRow.init)
    }

    /// The version of an image with this crop of the same source.
    package func find(source: String, _ crop: ImageCrop, of media: ID<Media>) async throws -> MediaVersionRow? {
        try await connection.first(
            """
            \(Self.rows) where v.media_id = \(media) and v.source = \(source) and v.crop_x = \(crop.x)
                and v.crop_y = \(crop.y) and v.crop_width = \(crop.width) and v.crop_height = \(crop.height)
            order by v.number desc limit 1
            """, MediaVersionRow.init)
    }

    /// The files of the whole image from which the current version was cropped, in order of their width.
    package func wholeFiles(of media: ID<Media>) async throws -> [ImageValue.File] {
        try await connection.rows(
            """
            select f.path, f.width, f.height, f.bytes, f.sha256
            from ops.media m join ops.media_version c on c.id = m.version_id
            cross join lateral (
                select w.version_id from ops.media_file w join ops.media_version v on v.id = w.version_id
                where w.media_id = m.id and w.path = c.source and v.source = c.source and v.crop_width = 1000
                    and v.crop_height = 1000 order by v.number limit 1) s
            join ops.media_file f on f.version_id = s.version_id
            where m.id = \(media) order by f.width limit 100
            """
        ) {
            ImageValue.File(
                path: try $0("path"), width: try $0("width"), height: try $0("height"), bytes: try $0("bytes"),
                sha256: try $0("sha256"))
        }
    }

    /// Locks the image until the end of the transaction; nil if there is none. Returns its current version.
    package func lock(_ media: ID<Media>) async throws -> Int? {
        try await connection.first(
            """
            select v.number from ops.media m join ops.media_version v on v.id = m.version_id
            where m.id = \(media) for no key update of m
            """
        ) { try $0("number") }
    }

    /// Adds a version and makes it the current one. Call `lock` first.
    package func add(_ new: NewMediaVersion, to media: ID<Media>, by actor: Actor) async throws -> Int {
        let source = new.source ?? new.files.last?.path ?? ""
        let added: (id: UUID, number: Int)? = try await connection.first(
            """
            insert into ops.media_version (media_id, number, upload_sha256, type, source, crop_x, crop_y, crop_width,
                crop_height, created_by)
            select \(media), coalesce(max(number), 0) + 1, \(new.uploadHash), \(new.type), \(source), \(new.crop.x),
                \(new.crop.y), \(new.crop.width), \(new.crop.height), \(actor.rowID)
            from ops.media_version where media_id = \(media)
            returning id, number
            """
        ) { (try $0("id"), try $0("number")) }
        guard let added else { throw Failure.missing("image") }
        try await connection.addFiles(new.files, media: media, version: added.id)
        try await setCurrent(added.number, of: media)
        try await removeUnused(of: media)
        return added.number
    }

    package func setCurrent(_ number: Int, of media: ID<Media>) async throws {
        try await connection.run(
            """
            update ops.media m set version_id = v.id, upload_sha256 = v.upload_sha256, type = v.type
            from ops.media_version v where v.media_id = m.id and m.id = \(media) and v.number = \(number)
            """)
    }

    /// The first version stays: catalog items may show it.
    private func removeUnused(of media: ID<Media>) async throws {
        try await connection.run(
            """
            delete from ops.media_version v using ops.media m join ops.media_version c on c.id = m.version_id
            where m.id = \(media) and v.media_id = m.id and v.number > 1 and v.number <= c.number - \(fixed: Self.kept)
                and not exists (select from curation.media_use u where u.version_id = v.id)
                and not exists (select from ops.media_version o join ops.media_file f on f.path = o.source
                    where o.media_id = m.id and f.version_id = v.id and o.id <> v.id)
            """)
    }
}

extension StoreConnection {
    /// Records the stored files of a version.
    func addFiles(_ files: [ImageValue.File], media: ID<Media>, version: UUID) async throws {
        try await run(
            """
            insert into ops.media_file (media_id, version_id, width, height, bytes, sha256, path)
            select \(media)::uuid, \(version)::uuid, * from unnest(\(files.map(\.width))::integer[],
                \(files.map(\.height))::integer[], \(files.map(\.bytes))::bigint[],
                \(files.map(\.sha256))::text[], \(files.map(\.path))::text[])
            """)
    }
}
