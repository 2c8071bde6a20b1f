// Which images revisions use: derived from their content, with the versions that they show.
import Domain
import FoundationEssentials
import Localization
import Postgres

/// A version of an image that has a file at some path.
private struct ShownVersion {
    let media: ID<Media>
    let version: UUID
    let isCurrent: Bool
    /// Whether it is in the access scope of the page.
    let isInScope: Bool
    let name: String
    let type: String
    let alt: String
    let focus: FocalPoint
    let files: [ImageValue.File]

    init(row: Row) throws {
        media = try row("id")
        version = try row("version_id")
        isCurrent = try row("is_current")
        isInScope = try row("is_in_scope")
        name = try row("name")
        type = try row("type")
        alt = try row("alt")
        func crop(_ prefix: String) throws -> ImageCrop {
            let texts = try ["x", "y", "width", "height"].map { try row("\(prefix)_\($0)") as Int }
            return ImageCrop(x: texts[0], y: texts[1], width: texts[2], height: texts[3]) ?? .whole
        }
        let current = FocalPoint(x: try row("focus_x"), y: try row("focus_y")) ?? .middle
        focus = try crop("crop").inside(try crop("current").outside(current))
        files = try ImageValue.File.list(row: row)
    }
}

extension MediaStore {
    private struct Line {
        let revision: ID<Revision>
        let pointer: String
        let media: ID<Media>?
        let version: UUID?
        let url: String?
        let image: String?

        init(
            _ revision: ID<Revision>, _ pointer: String, media: ID<Media>? = nil, version: UUID? = nil,
            url: String? = nil, image: String? = nil
        ) {
            (self.revision, self.pointer, self.media) = (revision, pointer, media)
            (self.version, self.url, self.image) = (version, url, image)
        }
    }

    /// The versions with files at these paths, by path. A current version comes first.
    private func images(at paths: [String]) async throws -> [String: ShownVersion] {
        guard !paths.isEmpty else { return [:] }
        let rows = try await connection.rows(
            """
            select m.id, v.id as version_id, v.id = m.version_id as is_current,
                \(AccessScope.current.image("m")) as is_in_scope, m.name, v.type, m.alt, m.focus_x, m.focus_y,
                v.crop_x, v.crop_y, v.crop_width, v.crop_height, c.crop_x as current_x, c.crop_y as current_y,
                c.crop_width as current_width, c.crop_height as current_height, f.*
            from ops.media_version v join ops.media m on m.id = v.media_id
            join ops.media_version c on c.id = m.version_id
            cross join lateral (
                select array_agg(path order by width) as paths, array_agg(width order by width) as widths,
                    array_agg(height order by width) as heights, array_agg(bytes order by width) as sizes,
                    array_agg(sha256 order by width) as sums
                from ops.media_file where version_id = v.id) f
            where v.id in (select version_id from ops.media_file where path = any(\(paths)::text[]))
            order by is_current desc, m.id, v.number desc
            """, ShownVersion.init)
        return Dictionary(rows.flatMap { row in row.files.map { ($0.path, row) } }) { first, _ in first }
    }

    /// The contents with the current files of images inside their texts, in about the same width: a new revision shows
    /// the current version everywhere.
    func replacingOldVersions(_ contents: [Content], of type: ContentType) async throws -> [Content] {
        let used = contents.map { Set($0.imageUses(of: type).compactMap(\.path)) }
        let all = Set(used.joined()).sorted()
        let shown = try await images(at: all).filter { !$0.value.isCurrent }
        guard !shown.isEmpty else { return contents }
        let ids = Array(Set(shown.values.map(\.media)))
        var current: [ID<Media>: MediaRow] = [:]
        for media in try await find(ids) { current[media.id] = media }
        var paths: [String: String] = [:]
        for (path, old) in shown {
            guard let file = old.files.first(where: { $0.path == path }) else { continue }
            paths[path] = current[old.media]?.file(width: file.width)?.path
        }
        return zip(contents, used).map { content, used in
            let own = paths.filter { used.contains($0.key) }
            return own.isEmpty ? content : content.replacingFiles(of: type, by: own)
        }
    }

    /// Records the images of revisions. An image inside a text must be in the library, with an alternative text, unless
    /// it is on another server.
    func addUses(_ uses: [(revision: ID<Revision>, use: ImageUse)]) async throws {
        guard !uses.isEmpty else { return }
        let known = try await images(at: uses.compactMap(\.use.path))
        var rows: [Line] = []
        for (revision, use) in uses {
            let found = use.path.flatMap { known[$0] }
            switch use.image {
            case .library(let id): rows.append(Line(revision, use.pointer, media: id))
            case .external(let url, _) where found == nil:
                guard url.utf8.count <= ImageUse.maxURLBytes else { throw Self.tooLong(use) }
                rows.append(Line(revision, use.pointer, url: url))
            case .file(_, isRelative: true) where found == nil: throw Failure.unknownImage(at: use.fieldPointer)
            case .file, .external:
                guard let found else { continue }
                guard found.isInScope else { throw Failure.unknownImage(at: use.fieldPointer) }
                let image = try Self.value(of: found, use).canonicalText
                rows.append(Line(revision, use.pointer, media: found.media, version: found.version, image: image))
            }
        }
        let urls = Set(rows.compactMap(\.url)).sorted()
        if !urls.isEmpty {
            try await connection.run(
                "insert into ops.external_image (url) select unnest(\(urls)::text[]) on conflict (url) do nothing")
        }
        try await connection.run(
            """
            insert into curation.media_use (revision_id, pointer, media_id, version_id, external_id, image)
            select u.revision, u.pointer, u.media, coalesce(u.version, m.version_id), x.id, u.image::jsonb
            from unnest(\(rows.map(\.revision))::uuid[], \(rows.map(\.pointer))::text[], \(rows.map(\.media))::uuid[],
                \(rows.map(\.version))::uuid[], \(rows.map(\.url))::text[], \(rows.map(\.image))::text[])
                u (revision, pointer, media, version, url, image)
            left join ops.external_image x on x.url = u.url
            left join ops.media m on m.id = u.media
            """)
    }

    private static func value(of file: ShownVersion, _ use: ImageUse) throws -> JSONValue {
        guard !file.alt.isEmpty else {
            throw Failure.invalid(
                FieldErrors(
                    use.fieldPointer, "media_alt",
                    tr("The image \"\(file.name)\" has no alternative text. Add one in the media library first.")))
        }
        return ImageValue.complete(
            file.media, type: file.type, alt: file.alt, own: nil, focus: file.focus, files: file.files)
    }

    private static func tooLong(_ use: ImageUse) -> Failure {
        .invalid(
            FieldErrors(
                use.fieldPointer, "too_long", tr("Shorten the URLs of images to at most \(ImageUse.maxURLBytes) bytes.")
            ))
    }
}
