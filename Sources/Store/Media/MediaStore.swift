// Images of the media library: their files, descriptions, state and uses.
import Domain
import FoundationEssentials
import Localization
import Postgres

package struct MediaRow: Sendable {
    package let id: ID<Media>
    package let name: String
    package let type: String
    package let alt: String
    package let focus: FocalPoint
    package let state: MediaState
    package let uploadedBy: String
    package let uploadedAt: Date
    /// In order of their width; the last is the full image.
    package let files: [ImageValue.File]
    /// Some revision of an entry uses it.
    package let isUsed: Bool
    package let isLive: Bool

    init(row: Row) throws {
        id = try row("id")
        name = try row("name")
        type = try row("type")
        alt = try row("alt")
        focus = FocalPoint(x: try row("focus_x"), y: try row("focus_y")) ?? .middle
        state = try row("state")
        uploadedBy = try row("uploaded_by_name")
        uploadedAt = try row("uploaded_at")
        isUsed = try row("is_used")
        isLive = try row("is_live")
        let (widths, heights): ([Int], [Int]) = (try row("widths"), try row("heights"))
        let (sizes, sums): ([Int], [String]) = (try row("sizes"), try row("sums"))
        files = zip(try row("paths") as [String], widths.indices).map { path, index in
            ImageValue.File(
                path: path, width: widths[index], height: heights[index], bytes: sizes[index], sha256: sums[index])
        }
    }

    /// The narrowest file of at least this width, or the widest.
    package func file(width: Int) -> ImageValue.File? {
        files.first { $0.width >= width } ?? files.last
    }
}

/// A new image whose files are already stored.
package struct NewMedia: Sendable {
    package let uploadHash: [UInt8]
    package let name: String
    package let type: String
    package let alt: String
    package let files: [ImageValue.File]

    package init(uploadHash: [UInt8], name: String, type: String, alt: String, files: [ImageValue.File]) {
        self.uploadHash = uploadHash
        self.name = name
        self.type = type
        self.alt = alt
        self.files = files
    }
}

package struct MediaFilter: Sendable, Equatable {
    package var query: String?
    /// `unused` (in no revision of any entry and no queued submission), `undescribed` or `missing`
    package var state: String?

    package init(query: String? = nil, state: String? = nil) {
        self.query = query
        self.state = state
    }
}

/// An entry that uses an image.
package struct MediaUse: Sendable {
    package let entry: ID<Entry>
    package let type: String
    package let title: String
    package let isLive: Bool
    /// Only older revisions use it.
    package let isPast: Bool

    init(row: Row) throws {
        entry = try row("id")
        type = try row("type")
        title = try row("title")
        isLive = try row("is_live")
        isPast = try row("is_past")
    }
}

package struct MediaStore: Sendable {
    let connection: StoreConnection

    private static let lines: SQL = """
        select m.id, m.name, m.type, m.alt, m.focus_x, m.focus_y, m.state, m.uploaded_at, a.name as uploaded_by_name,
            f.paths, f.widths, f.heights, f.sizes, f.sums,
            exists (select from curation.media_use u where u.media_id = m.id) as is_used,
            exists (select from curation.media_use u join curation.live l on l.revision_id = u.revision_id
                where u.media_id = m.id) as is_live
        from ops.media m
        join ops.actor a on a.id = m.uploaded_by
        cross join lateral (
            select array_agg(path order by width) as paths, array_agg(width order by width) as widths,
                array_agg(height order by width) as heights, array_agg(bytes order by width) as sizes,
                array_agg(sha256 order by width) as sums
            from ops.media_file where media_id = m.id) f
        """

    /// A queued submission may reference an image that no revision uses yet, by its ID or by the path of a file.
    private static let isInQueue: SQL = """
        exists (select from curation.queue_item q join curation.submission s on s.id = q.submission_id
            where strpos(s.fields::text, m.id::text) > 0 or exists (
                select from ops.media_file f where f.media_id = m.id and strpos(s.fields::text, f.path) > 0))
        """

    package func find(_ id: ID<Media>) async throws -> MediaRow? {
        try await connection.first("\(Self.lines) where m.id = \(id)", MediaRow.init)
    }

    /// The image created from exactly these bytes.
    package func find(uploadHash: [UInt8]) async throws -> MediaRow? {
        try await connection.first("\(Self.lines) where m.upload_sha256 = \(uploadHash)", MediaRow.init)
    }

    /// One page, newest first, by keyset on the id (which sorts by age).
    package func page(_ filter: MediaFilter, cursor: String?, limit: Int) async throws -> Page<MediaRow> {
        var statement: SQL = "\(Self.lines) where true"
        if let query = filter.query {
            statement +=
                " and to_tsvector('simple', m.name || ' ' || m.alt) @@ (select websearch_to_tsquery('simple', \(query)))"
        }
        switch filter.state {
        case "unused": statement += " and \(Self.isUnused)"
        case "undescribed": statement += " and m.alt = ''"
        case "missing": statement += " and m.state = 'missing'"
        default: break
        }
        if let cursor {
            let position = try Cursor(parsing: cursor, count: 1)
            statement += " and m.id < \(try position.uuid(0))"
        }
        statement += " order by m.id desc limit \(limit + 1)"
        let rows = try await connection.rows(statement, MediaRow.init)
        return Page(rows: rows, limit: limit) { Cursor([$0.id.description]) }
    }

    private static let isUnused: SQL = """
        not exists (select from curation.media_use u where u.media_id = m.id) and not \(isInQueue) and not \(isStored)
        """

    /// An external image that published entries or catalog items show.
    private static let isStored: SQL = """
        exists (select from ops.external_image x where x.media_id = m.id and (x.is_due or exists (
            select from curation.image_subjects(x.url) s where s.is_public)))
        """

    /// The entries that use an image, live ones first.
    package func uses(of id: ID<Media>, limit: Int = 100) async throws -> [MediaUse] {
        try await connection.rows(
            """
            select e.id, e.type, coalesce(n.content ->> 'title', '') as title,
                exists (select from curation.live l join curation.media_use w on w.revision_id = l.revision_id
                    where l.entry_id = e.id and w.media_id = \(id)) as is_live,
                not exists (select from curation.media_use w where w.revision_id = n.id and w.media_id = \(id)) as is_past
            from (select distinct r.entry_id from curation.media_use u join curation.revision r on r.id = u.revision_id
                where u.media_id = \(id)) x
            join curation.entry e on e.id = x.entry_id
            cross join lateral (
                select * from curation.revision r where r.entry_id = e.id order by r.number desc limit 1) n
            order by is_live desc, is_past, e.id desc limit \(limit)
            """, MediaUse.init)
    }

    /// The content completed with the files, sizes and descriptions of its images; external images that the library has
    /// by now are replaced. Runs at most one query for each, none without images.
    package func completing(_ content: Content, of type: ContentType) async throws -> Content {
        let content = try await replacingStoredImages(content, of: type)
        let named = content.media(of: type)
        guard !named.isEmpty else { return content }
        let rows = try await connection.rows(
            "\(Self.lines) where m.id = any(\(named.map(\.id))::uuid[])", MediaRow.init)
        let known = Dictionary(rows.map { ($0.id, $0) }) { first, _ in first }
        if let unknown = named.first(where: { known[$0.id] == nil }) {
            throw Failure.unknownImage(at: "/fields/\(unknown.path)/media")
        }
        return content.mappingImages(of: type) { _, value in
            guard let id = ImageValue.media(in: value), let media = known[id] else { return value }
            return ImageValue.complete(
                id, type: media.type, alt: media.alt, own: value["alt"]?.stringValue, focus: media.focus,
                files: media.files)
        }
    }

    private func replacingStoredImages(_ content: Content, of type: ContentType) async throws -> Content {
        let urls = content.imageUses(of: type).compactMap { use -> String? in
            if case .external(let url, _) = use.image { url } else { nil }
        }
        guard !urls.isEmpty else { return content }
        let stored = try await connection.rows(
            """
            select x.url, x.media_id, f.path from ops.external_image x cross join lateral (
                select path from ops.media_file where media_id = x.media_id order by width desc limit 1) f
            where x.url = any(\(urls)::text[]) and x.state = 'stored'
            """
        ) { (try $0("url") as String, ImageReplacement(media: try $0("media_id"), path: try $0("path"))) }
        guard !stored.isEmpty else { return content }
        return content.replacingExternalImages(of: type, by: Dictionary(stored) { first, _ in first })
    }

    /// The images with files at these paths, by path.
    private func images(at paths: [String]) async throws -> [String: MediaRow] {
        guard !paths.isEmpty else { return [:] }
        let rows = try await connection.rows(
            """
            \(Self.lines) where m.id in (select media_id from ops.media_file where path = any(\(paths)::text[]))
            order by m.id
            """, MediaRow.init)
        return Dictionary(rows.flatMap { row in row.files.map { ($0.path, row) } }) { first, _ in first }
    }

    /// The paths that belong to an image, among these.
    package func known(_ paths: [String]) async throws -> Set<String> {
        Set(
            try await connection.rows(
                "select distinct path from ops.media_file where path = any(\(paths)::text[])"
            ) { try $0("path") as String })
    }

    // MARK: Changes

    /// Records the images of revisions. An image inside a text must be in the library, with an alternative text, unless
    /// it is on another server.
    func addUses(_ uses: [(revision: ID<Revision>, use: ImageUse)]) async throws {
        guard !uses.isEmpty else { return }
        let known = try await images(at: uses.compactMap(\.use.path))
        var rows: [(revision: ID<Revision>, pointer: String, media: ID<Media>?, url: String?, image: String?)] = []
        for (revision, use) in uses {
            let found = use.path.flatMap { known[$0] }
            switch use.image {
            case .library(let id): rows.append((revision, use.pointer, id, nil, nil))
            case .external(let url, _) where found == nil:
                guard url.utf8.count <= ImageUse.maxURLBytes else { throw Self.tooLong(use) }
                rows.append((revision, use.pointer, nil, url, nil))
            case .file(_, isRelative: true) where found == nil: throw Failure.unknownImage(at: use.fieldPointer)
            case .file, .external:
                guard let found else { continue }
                rows.append((revision, use.pointer, found.id, nil, try Self.value(of: found, use).canonicalText))
            }
        }
        let urls = Set(rows.compactMap(\.url)).sorted()
        if !urls.isEmpty {
            try await connection.run(
                "insert into ops.external_image (url) select unnest(\(urls)::text[]) on conflict (url) do nothing")
        }
        try await connection.run(
            """
            insert into curation.media_use (revision_id, pointer, media_id, external_id, image)
            select u.revision, u.pointer, u.media, x.id, u.image::jsonb
            from unnest(\(rows.map(\.revision))::uuid[], \(rows.map(\.pointer))::text[], \(rows.map(\.media))::uuid[],
                \(rows.map(\.url))::text[], \(rows.map(\.image))::text[]) u (revision, pointer, media, url, image)
            left join ops.external_image x on x.url = u.url
            """)
    }

    private static func value(of media: MediaRow, _ use: ImageUse) throws -> JSONValue {
        guard !media.alt.isEmpty else {
            throw Failure.invalid(
                FieldErrors(
                    use.fieldPointer, "media_alt",
                    tr("The image \"\(media.name)\" has no alternative text. Add one in the media library first.")))
        }
        return ImageValue.complete(
            media.id, type: media.type, alt: media.alt, own: nil, focus: media.focus, files: media.files)
    }

    private static func tooLong(_ use: ImageUse) -> Failure {
        .invalid(
            FieldErrors(
                use.fieldPointer, "too_long", tr("Shorten the URLs of images to at most \(ImageUse.maxURLBytes) bytes.")
            ))
    }

    /// Returns nil when the same bytes were uploaded before.
    package func add(_ new: NewMedia, by actor: Actor) async throws -> ID<Media>? {
        let id: ID<Media>? = try await connection.first(
            """
            insert into ops.media (upload_sha256, name, type, alt, uploaded_by)
            values (\(new.uploadHash), \(new.name), \(new.type), \(new.alt), \(actor.rowID))
            on conflict (upload_sha256) do nothing returning id
            """
        ) { try $0("id") }
        guard let id else { return nil }
        try await connection.run(
            """
            insert into ops.media_file (media_id, width, height, bytes, sha256, path)
            select \(id)::uuid, * from unnest(\(new.files.map(\.width))::integer[],
                \(new.files.map(\.height))::integer[], \(new.files.map(\.bytes))::bigint[],
                \(new.files.map(\.sha256))::text[], \(new.files.map(\.path))::text[])
            """)
        return id
    }

    package func update(_ id: ID<Media>, alt: String, focus: FocalPoint) async throws -> Bool {
        try await connection.run(
            "update ops.media set alt = \(alt), focus_x = \(focus.x), focus_y = \(focus.y) where id = \(id)") == 1
    }

    /// Sets whether the files of an image exist; false when the state is unchanged.
    package func setState(_ id: ID<Media>, _ state: MediaState) async throws -> Bool {
        try await connection.run(
            "update ops.media set state = \(state.rawValue) where id = \(id) and state <> \(state.rawValue)") == 1
    }

    /// Deletes an unused image; false when it is used or does not exist. If it was stored for an external image, that is
    /// fetched again when it is next approved.
    package func remove(_ id: ID<Media>) async throws -> Bool {
        try await connection.run(
            """
            update ops.external_image x set state = 'known', media_id = null, bytes = 0, shown_at = null
            from ops.media m where x.media_id = m.id and m.id = \(id) and \(Self.isUnused)
            """)
        return try await connection.run("delete from ops.media m where m.id = \(id) and \(Self.isUnused)") == 1
    }
}
