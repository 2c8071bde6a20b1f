// One image of the media library: shows, describes, crops, replaces and deletes it.
import Domain
import HTTP
import Localization
import Operations
import Store

enum ImagePages {
    private struct File: Encodable, Sendable {
        let size: String
        let fileSize: String
        let url: String
    }

    private struct Use: Encodable, Sendable {
        let entry: ID<Entry>
        let type: String
        let title: String
        let status: String
        let tone: String
    }

    /// A number of the crop or the focal point.
    private struct Part: Encodable, Sendable {
        let name: String
        let label: String
        let value: String
        let isCrop: Bool
        let isInvalid: Bool
    }

    private struct Version: Encodable, Sendable {
        let number: Int
        let thumbnail: ThumbnailView
        let author: String
        let created: Instant
        let label: String
        let isCurrent: Bool
    }

    private struct Show: Encodable, Sendable {
        let id: ID<Media>
        let name: String
        let status: String
        let tone: String
        let author: String
        let added: Instant
        let image: String
        let width: Int
        let height: Int
        let files: [File]
        let uses: [Use]
        let alt: String
        let tags: String
        /// The parts of crop and focal point in percent of the whole image.
        let parts: [Part]
        let x: String
        let y: String
        let isCropped: Bool
        let versions: [Version]
        let limits: String
        let mayReplace: Bool
        let mayEdit: Bool
        let mayDelete: Bool
        let isMissing: Bool
        let problem: ErrorSummary?
        let autosave: Autosaved?
    }

    /// Shows an image, with the rejected input and its errors, if any.
    static func show(_ request: AdminRequest, errors: FieldErrors = FieldErrors()) async throws -> Response {
        if request.wantsJSON, !errors.isEmpty { return try MediaJSON.response(errors) }
        let media = try await find(request)
        let whole = try await request.database.mediaVersions.wholeFiles(of: media.id)
        let shown = whole.first { $0.width >= 640 } ?? whole.last ?? media.file(width: 640)
        if request.wantsJSON {
            return try MediaJSON.response(
                MediaJSON.Whole(
                    image: MediaJSON(media), url: AdminURL.mediaFiles + (shown?.path ?? ""), width: shown?.width ?? 0,
                    height: shown?.height ?? 0, area: Dictionary(uniqueKeysWithValues: area(of: media))))
        }
        let (opening, name) = (AdminURL.image(media.id), MediaPages.shown(media.name))
        let saving =
            request.actor.may(.suggest)
            ? try await request.autosaving([opening: tr("Image: \(name)", context: "autosave")]) : request
        let request = saving.restored(opening) ?? saving
        let uses = try await request.database.media.uses(of: media.id)
        let types = Dictionary(request.context.rules.types.all.map { ($0.name, $0.label) }) { first, _ in first }
        let versions = try await request.database.mediaVersions.list(of: media.id)
        let (status, tone) = MediaPages.status(of: media)
        let point = media.crop.outside(media.focus)
        let model = Show(
            id: media.id, name: name, status: status, tone: tone, author: ActorName.shown(media.uploadedBy),
            added: Instant(media.uploadedAt), image: AdminURL.mediaFiles + (shown?.path ?? ""),
            width: shown?.width ?? 0,
            height: shown?.height ?? 0, files: media.files.map(file),
            uses: uses.map { use in
                Use(
                    entry: use.entry, type: types[use.type] ?? use.type, title: EntryPages.shown(use.title),
                    status: use.isLive
                        ? tr("Published", context: "show")
                        : use.isPast ? tr("Older versions only") : tr("Not published"),
                    tone: use.isLive ? "ok" : "wait")
            },
            alt: request.form.first("alt") ?? media.alt,
            tags: request.form.first("tags") ?? media.tags.joined(separator: ", "),
            parts: parts(media, request, errors), x: Percent.text(point.x), y: Percent.text(point.y),
            isCropped: media.crop != .whole, versions: versions.map(version), limits: MediaPages.limits(request),
            mayReplace: request.actor.may(.edit), mayEdit: request.actor.may(.suggest),
            mayDelete: request.actor.may(.edit) && !media.isUsed, isMissing: media.state == .missing,
            problem: ErrorSummary(errors), autosave: request.autosave(opening))
        return try request.page(
            "admin/media/show", model, title: model.name,
            status: errors.status)
    }

    private static func find(_ request: AdminRequest) async throws -> MediaRow {
        try await request.database.media.find(try request.id()).orMissing("image")
    }

    private static func file(_ file: ImageValue.File) -> File {
        File(
            size: "\(file.width) × \(file.height)", fileSize: tr("\((file.bytes + 1023) / 1024) KB", context: "show"),
            url: AdminURL.mediaFiles + file.path)
    }

    private static func version(_ version: MediaVersionRow) -> Version {
        Version(
            number: version.number, thumbnail: ThumbnailView(version.thumbnail),
            author: ActorName.shown(version.author),
            created: Instant(version.createdAt),
            label: version.crop == .whole ? tr("Whole image") : tr("Cropped image"), isCurrent: version.isCurrent)
    }

    // MARK: Changes

    private static func parts(_ media: MediaRow, _ request: AdminRequest, _ errors: FieldErrors) -> [Part] {
        zip(names, area(of: media)).map { name, value in
            Part(
                name: name.0, label: name.1, value: request.form.first(name.0) ?? value.1,
                isCrop: name.0.hasPrefix("crop"), isInvalid: errors.items.contains { $0.pointer == "/" + name.0 })
        }
    }

    /// In percent of the whole image.
    private static func area(of media: MediaRow) -> [(String, String)] {
        let point = media.crop.outside(media.focus)
        let values = [media.crop.x, media.crop.y, media.crop.width, media.crop.height, point.x, point.y]
        return zip(names, values).map { ($0.0, Percent.text($1)) }
    }

    private static var names: [(String, String)] {
        [
            ("crop_x", tr("From the left")), ("crop_y", tr("From the top")),
            ("crop_width", tr("Width", context: "checkboxes")), ("crop_height", tr("Height", context: "checkboxes")),
            ("focus_x", tr("From the left")), ("focus_y", tr("From the top")),
        ]
    }

    /// Changes what the form has: the alternative text, tags, crop and focal point.
    static func update(_ request: AdminRequest) async throws -> Response {
        let media = try await find(request)
        return try await request.submit(orShow: show) {
            let (crop, point) = try area(media, request)
            let services = request.services
            let focus = point == media.crop.outside(media.focus) ? media.focus : media.crop.inside(point)
            try await services.updateMedia(
                media.id, alt: request.form.first("alt") ?? media.alt, focus: focus,
                tags: request.form.first("tags").map { $0.split(separator: ",").map(String.init) }, by: request.actor)
            try await services.cropMedia(media.id, to: crop, focus: point, by: request.actor)
            if request.wantsJSON { return try MediaJSON.response(MediaJSON(await find(request))) }
            return request.redirect(to: AdminURL.image(media.id), Flash(saved(media)))
        }
    }

    /// Crop and focal point of the whole image; what the form does not have stays.
    private static func area(_ media: MediaRow, _ request: AdminRequest) throws -> (ImageCrop, FocalPoint) {
        var errors = FieldErrors()
        let point = media.crop.outside(media.focus)
        let present = [media.crop.x, media.crop.y, media.crop.width, media.crop.height, point.x, point.y]
        let values = zip(names, present).map { name, value in
            guard let text = request.form.first(name.0) else { return value }
            if text == Percent.text(value) { return value }
            guard let number = Percent.thousandths(text) else {
                errors.add("/\(name.0)", "format", tr("\(name.1): Enter a number from 0 to 100."))
                return value
            }
            return number
        }
        try errors.throwIfAny()
        guard let crop = ImageCrop(x: values[0], y: values[1], width: values[2], height: values[3]),
            let point = FocalPoint(x: values[4], y: values[5])
        else {
            throw Failure.invalid(
                FieldErrors("/crop_width", "range", tr("Choose a part of at least 1% inside the image.")))
        }
        return (crop, point)
    }

    private static func saved(_ media: MediaRow) -> String {
        media.isUsed
            ? tr("Image saved. Entries use the change in their next version; published versions don't change.")
            : tr("Image saved.")
    }

    static func replace(_ request: AdminRequest) async throws -> Response {
        let media = try await find(request)
        return try await request.submit(orShow: show) {
            guard let upload = request.form.upload("file") else {
                throw Failure.invalid(FieldErrors("/file", "required", tr("Choose a file.")))
            }
            _ = try await request.services.replaceMedia(media.id, upload.bytes, by: request.actor)
            return request.redirect(to: AdminURL.image(media.id), Flash(saved(media)))
        }
    }

    static func restore(_ request: AdminRequest) async throws -> Response {
        let media = try await find(request)
        return try await request.submit(orShow: show) {
            let number = try request.integer("version")
            try await request.services.replaceMedia.restore(number, of: media.id, by: request.actor)
            return request.redirect(to: AdminURL.image(media.id), Flash(saved(media)))
        }
    }

    static func delete(_ request: AdminRequest) async throws -> Response {
        let media = try await find(request)
        try await request.services.deleteMedia(media.id, by: request.actor)
        return request.redirect(
            to: AdminURL.media(), Flash(tr("Deleted \(MediaPages.shown(media.name)).", context: "show")))
    }

    /// Redirects to a file for pages that only know the image's id.
    static func file(_ request: AdminRequest) async throws -> Response {
        guard let file = try await find(request).file(width: 640) else { throw Failure.missing("image") }
        return Response.redirect(302, to: AdminURL.mediaFiles + file.path)
    }
}
