// Images of the media library: their descriptions, tags, state and uses.
import Domain
import Postgres

package struct MediaStore: Sendable {
    let connection: StoreConnection

    private static let lines: SQL = """
        select m.id, m.name, m.type, m.alt, m.tags, m.focus_x, m.focus_y, m.state, m.uploaded_at,
            a.name as uploaded_by_name, c.number as version, c.source, c.crop_x, c.crop_y, c.crop_width, c.crop_height,
            f.paths, f.widths, f.heights, f.sizes, f.sums,
            exists (select from curation.media_use u where u.media_id = m.id) as is_used,
            exists (select from curation.media_use u join curation.live l on l.revision_id = u.revision_id
                where u.media_id = m.id) as is_live
        from ops.media m
        join ops.actor a on a.id = m.uploaded_by
        join ops.media_version c on c.id = m.version_id
        cross join lateral (
            select coalesce(array_agg(path order by width), '{}') as paths,
                coalesce(array_agg(width order by width), '{}') as widths,
                coalesce(array_agg(height order by width), '{}') as heights,
                coalesce(array_agg(bytes order by width), '{}') as sizes,
                coalesce(array_agg(sha256 order by width), '{}') as sums
            from ops.media_file where version_id = m.version_id) f
        """

    /// A queued submission may reference an image that no revision uses yet, by its ID or by the path of a file.
    private static let isInQueue: SQL = """
        exists (select from curation.queue_item q join curation.submission s on s.id = q.submission_id
            where strpos(s.fields::text, m.id::text) > 0 or exists (
                select from ops.media_file f where f.media_id = m.id and strpos(s.fields::text, f.path) > 0))
        """

    /// Nil also for an image outside the access scope of the page.
    package func find(_ id: ID<Media>) async throws -> MediaRow? {
        try await connection.first(
            "\(Self.lines) where m.id = \(id) and \(AccessScope.current.image("m"))", MediaRow.init)
    }

    /// The existing ones among these in the access scope of the page, by ID.
    package func find(_ ids: [ID<Media>]) async throws -> [MediaRow] {
        try await connection.rows(
            "\(Self.lines) where m.id = any(\(ids)::uuid[]) and \(AccessScope.current.image("m")) order by m.id",
            MediaRow.init)
    }

    /// The image created from exactly these bytes.
    package func find(uploadHash: [UInt8]) async throws -> MediaRow? {
        try await connection.first("\(Self.lines) where m.upload_sha256 = \(uploadHash)", MediaRow.init)
    }

    /// One page, newest first, by keyset on the id (which sorts by age).
    package func page(_ filter: MediaFilter, cursor: String?, limit: Int) async throws -> Page<MediaRow> {
        var statement: SQL = "\(Self.lines) where \(AccessScope.current.image("m"))"
        if let query = filter.query {
            statement += """
                 and (api_v1.terms(m.name || ' ' || m.alt) @@ (select api_v1.parse_query(\(query)))
                    or m.tags @> array[lower(\(query))])
                """
        }
        if let tag = filter.tag { statement += " and m.tags @> array[\(tag)]::text[]" }
        if let file = filter.file {
            statement += " and m.id in (select media_id from ops.media_file where path = \(file))"
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

    /// How many images have no alternative text, up to `limit`.
    package func undescribedCount(limit: Int) async throws -> Int {
        try await connection.first(
            """
            select count(*) as n from (
                select from ops.media m where m.alt = '' and \(AccessScope.current.image("m")) limit \(limit)) x
            """
        ) { try $0("n") } ?? 0
    }

    /// The most used tags of the newest images, by name.
    package func tags(limit: Int = 40) async throws -> [String] {
        try await connection.rows(
            """
            select tag from (
                select t.tag, count(*) as n from (
                    select i.tags from ops.media i where i.tags <> '{}' and \(AccessScope.current.image("i"))
                    order by i.id desc limit 5000) m
                cross join lateral unnest(m.tags) t (tag) group by t.tag order by n desc, t.tag limit \(limit)) t
            order by tag
            """
        ) { try $0("tag") }
    }

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
            join curation.entry e on e.id = x.entry_id and \(AccessScope.current.entry("e"))
            cross join lateral (
                select * from curation.revision r where r.entry_id = e.id order by r.number desc limit 1) n
            order by is_live desc, is_past, e.id desc limit \(limit)
            """, MediaUse.init)
    }

    /// The content completed with the files, sizes and descriptions of its images; external images that the library has
    /// by now are replaced. An image outside the access scope of the page is as unknown as a missing one. Runs at most one
    /// query for each of these, none without images.
    package func completing(_ content: Content, of type: ContentType) async throws -> Content {
        try await completing([content], of: type).first ?? content
    }

    /// The same for several contents of a type, in as many queries as for one.
    package func completing(_ contents: [Content], of type: ContentType) async throws -> [Content] {
        let contents = try await replacingOldVersions(
            try await replacingStoredImages(contents, of: type), of: type)
        let named = contents.flatMap { $0.media(of: type) }
        guard !named.isEmpty else { return contents }
        let rows = try await find(named.map(\.id))
        let known = Dictionary(rows.map { ($0.id, $0) }) { first, _ in first }
        if let unknown = named.first(where: { known[$0.id] == nil }) {
            throw Failure.unknownImage(at: "/fields/\(unknown.path)/media")
        }
        return contents.map { content in
            content.mappingImages(of: type) { _, value in
                guard let id = ImageValue.media(in: value), let media = known[id] else { return value }
                return ImageValue.complete(
                    id, type: media.type, alt: media.alt, own: value["alt"]?.stringValue, focus: media.focus,
                    files: media.files)
            }
        }
    }

    private func replacingStoredImages(_ contents: [Content], of type: ContentType) async throws -> [Content] {
        let urls = contents.map { content in
            content.imageUses(of: type).compactMap { use -> String? in
                if case .external(let url, _) = use.image { url } else { nil }
            }
        }
        let all = Set(urls.joined()).sorted()
        guard !all.isEmpty else { return contents }
        let stored = try await connection.rows(
            """
            select x.url, x.media_id, case when m.alt <> '' then f.path end as path
            from ops.external_image x join ops.media m on m.id = x.media_id
            cross join lateral (
                select path from ops.media_file where version_id = m.version_id order by width desc limit 1) f
            where x.url = any(\(all)::text[]) and x.state = 'stored' and \(AccessScope.current.image("m"))
            """
        ) { (try $0("url") as String, ImageReplacement(media: try $0("media_id"), path: try $0("path"))) }
        let replacements = Dictionary(stored) { first, _ in first }
        return zip(contents, urls).map { content, urls in
            let own = replacements.filter { urls.contains($0.key) }
            return own.isEmpty ? content : content.replacingExternalImages(of: type, by: own)
        }
    }

    /// The paths that belong to an image, among these.
    package func known(_ paths: [String]) async throws -> Set<String> {
        Set(
            try await connection.rows(
                """
                select path from ops.media_file where path = any(\(paths)::text[])
                union select source from ops.media_version where source = any(\(paths)::text[])
                """
            ) { try $0("path") as String })
    }

    // MARK: Changes

    /// Returns nil when the same bytes were uploaded before. Without `id` the image gets a new one.
    package func add(_ new: NewMedia, id: ID<Media>? = nil, by actor: Actor) async throws -> ID<Media>? {
        let added: ID<Media>? = try await connection.first(
            """
            insert into ops.media (id, version_id, upload_sha256, name, type, alt, uploaded_by)
            select i, i, \(new.uploadHash), \(new.name), \(new.type), \(new.alt), \(actor.rowID)
            from coalesce(\(id)::uuid, curation.uuid_v7()) i
            on conflict (upload_sha256) do nothing returning id
            """
        ) { try $0("id") }
        guard let added else { return nil }
        try await connection.run(
            """
            insert into ops.media_version (id, media_id, number, upload_sha256, type, source, created_by)
            values (\(added), \(added), 1, \(new.uploadHash), \(new.type), \(new.files.last?.path ?? ""), \(actor.rowID))
            """)
        try await connection.addFiles(new.files, media: added, version: added.uuid)
        return added
    }

    /// Sets the alternative texts of several images, of those in the access scope of the page; returns of how many.
    package func describe(_ texts: [(id: ID<Media>, alt: String)]) async throws -> Int {
        try await connection.run(
            """
            update ops.media m set alt = t.alt
            from unnest(\(texts.map(\.id))::uuid[], \(texts.map(\.alt))::text[]) t (id, alt)
            where m.id = t.id and \(AccessScope.current.image("m"))
            """)
    }

    /// Nil keeps the tags.
    package func update(
        _ id: ID<Media>, alt: String, focus: FocalPoint, tags: [String]? = nil
    ) async throws -> Bool {
        try await connection.run(
            """
            update ops.media set alt = \(alt), focus_x = \(focus.x), focus_y = \(focus.y),
                tags = coalesce(\(tags)::text[], tags) where id = \(id)
            """) == 1
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
