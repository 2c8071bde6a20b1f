// The images of a bundle of entries: checked with their files before anything is written.
import Domain
import Localization
import Platform
import Store

/// An image that this deployment lacks.
struct BundleImage: Sendable {
    let id = ID<Media>(UUIDv7.make())
    let media: NewMedia
    let focus: FocalPoint

    func record(_ transaction: AuditedTransaction) async throws {
        try await transaction.audit(
            AuditEvent("media.import", on: "media", detail: ["upload_sha256": .string(Hex.text(media.uploadHash))]))
        guard try await transaction.media.add(media, id: id, by: transaction.actor) != nil else {
            throw Failure.busy
        }
        _ = try await transaction.media.update(id, alt: media.alt, focus: focus)
    }
}

/// The files of a bundle so far, by path.
struct BundleFiles {
    private var known: [String: ImageValue.File] = [:]

    /// Checks a file as an upload is checked.
    mutating func add(_ record: BundleReader.Record, _ inspect: ImportRelease.ImageInspector) async throws {
        let file = try BundleFile(record)
        let signature: [UInt8] = file.path.hasSuffix("png") ? [0x89, 0x50, 0x4E, 0x47] : [0xFF, 0xD8, 0xFF]
        guard file.bytes.starts(with: signature) else {
            throw BundleReader.error(
                record.location, "/file/base64", "format", tr("The content is not of the type that its path names."))
        }
        do {
            let (width, height) = try await inspect(file.bytes)
            known[file.path] = ImageValue.File(
                path: file.path, width: width, height: height, bytes: file.bytes.count, sha256: file.sha256)
        } catch Failure.invalid(let errors) {
            let first = errors.items.first
            throw BundleReader.error(record.location, "/file/base64", first?.code ?? "", first?.message ?? "")
        }
    }

    /// An image and its id in the bundle. Its files are before it.
    func image(_ record: BundleReader.Record) throws -> (id: String, image: BundleImage) {
        let members = record.members
        func error(_ field: String, _ code: String, _ message: String) -> Failure {
            BundleReader.error(record.location, "/media\(field)", code, message)
        }
        guard let id = members["id"]?.stringValue, let hash = members["upload_sha256"]?.stringValue.flatMap(Hex.bytes),
            hash.count == 32, let type = members["type"]?.stringValue, ["image/jpeg", "image/png"].contains(type)
        else { throw error("", "required", tr("An image needs id, type and upload_sha256.")) }
        let (name, alt) = (members["name"]?.stringValue ?? "", members["alt"]?.stringValue ?? "")
        guard name.unicodeScalars.count <= 200, !JSONValue.string(name).containsNUL else {
            throw error("/name", "too_long", tr("A name has at most 200 characters."))
        }
        guard alt.unicodeScalars.count <= 500, !JSONValue.string(alt).containsNUL else {
            throw error("/alt", "too_long", tr("Enter at most 500 characters."))
        }
        let focus = FocalPoint(
            x: Int(members["focus_x"]?.integerValue ?? 500), y: Int(members["focus_y"]?.integerValue ?? 500))
        guard let focus else { throw error("/focus_x", "range", tr("A focal point is between 0 and 1000.")) }
        var files: [ImageValue.File] = []
        for (index, listed) in (members["files"]?.arrayValue ?? []).enumerated() {
            guard let file = listed["path"]?.stringValue.flatMap({ known[$0] }), file.json == listed,
                file.path.hasSuffix("png") == (type == "image/png"), file.width > files.last?.width ?? 0
            else {
                throw error(
                    "/files/\(index)", "digest",
                    tr("The bundle has no such file before this line, or another one. Export it again."))
            }
            files.append(file)
        }
        if files.isEmpty { throw error("/files", "required", tr("An image needs its files, each of another width.")) }
        let media = NewMedia(uploadHash: hash, name: name, type: type, alt: alt, files: files)
        return (id, BundleImage(media: media, focus: focus))
    }
}
