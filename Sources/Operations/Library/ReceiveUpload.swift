// Receives a file in parts, so that a lost connection or a restart of the daemon costs only the part on its way.
import Domain
import Localization
import Store

package struct ReceiveUpload: Sendable {
    /// The bytes of a part. With it a part is read like a form, within the memory for bodies.
    package static let partBytes = 1 << 20

    package struct Part: Sendable {
        /// 32 hexadecimal digits that the sender chose for this upload.
        package let key: String
        package let name: String
        /// The bytes of the whole file, and those before this part.
        package let size: Int
        package let start: Int
        package let bytes: [UInt8]
        /// The image whose file it replaces; nil for a new image.
        package let replaces: ID<Media>?

        package init(
            key: String, name: String, size: Int, start: Int, bytes: [UInt8], replaces: ID<Media>? = nil
        ) {
            self.key = key
            self.name = name
            self.size = size
            self.start = start
            self.bytes = bytes
            self.replaces = replaces
        }
    }

    package enum Outcome: Sendable {
        /// So many bytes have arrived.
        case partial(Int)
        /// Nothing was added: so many bytes have arrived, and the part does not begin there.
        case elsewhere(Int)
        case finished(MediaRow, isNew: Bool)
    }

    let database: Database
    let ingest: IngestImage
    let replace: ReplaceMedia
    let library: MediaLibrary

    /// Each request can be repeated. The last part runs the checks of every upload, and what they refuse is deleted. Throws
    /// `Failure.missing` for a part of an upload that has expired, or of another account, and for an image outside the access
    /// scope.
    package func callAsFunction(_ part: Part, of account: ID<Account>, by actor: Actor) async throws -> Outcome {
        try actor.require(.suggest, tr("add images"))
        if let replaced = part.replaces {
            try actor.require(.edit, tr("replace images"))
            try await database.access.require(actor, .image(replaced))
        }
        try check(part)
        let uploads = database.uploads
        if part.start == 0, !part.bytes.isEmpty {
            try await uploads.begin(part.key, name: UpdateMedia.cleanedName(part.name), size: part.size, of: account)
        }
        var isAdded = false
        if !part.bytes.isEmpty {
            isAdded = try await uploads.add(part.bytes, at: part.start, to: part.key, of: account)
        }
        guard let upload = try await uploads.find(part.key, of: account) else { throw Failure.missing("upload") }
        if upload.received == upload.size { return try await finish(upload, part.replaces, of: account, by: actor) }
        return isAdded || part.bytes.isEmpty && part.start == upload.received
            ? .partial(upload.received) : .elsewhere(upload.received)
    }

    private func check(_ part: Part) throws {
        let limit = library.processor.limits.bytes
        guard part.size <= limit else {
            throw ImageProcessor.refusal(
                "too_large", tr("The file has \(part.size) bytes; the limit is \(limit). Upload a smaller file."))
        }
        guard part.start >= 0, part.size > 0, part.start <= part.size else {
            throw ImageProcessor.refusal("empty", tr("The file is empty."))
        }
        guard part.bytes.count <= Self.partBytes, part.bytes.count <= part.size - part.start else {
            throw ImageProcessor.refusal("too_large", tr("More was sent than the file has, or than a part may have."))
        }
    }

    private func finish(
        _ upload: UploadRow, _ replaced: ID<Media>?, of account: ID<Account>, by actor: Actor
    ) async throws -> Outcome {
        if let id = upload.media {
            guard let media = try await database.media.find(id) else { throw Failure.missing("upload") }
            return .finished(media, isNew: false)
        }
        // Few whole files are in memory at a time; the others wait in the database.
        return try await ImageProcessor.run(in: library.uploads) {
            try await assemble(upload, replaced, of: account, by: actor)
        }
    }

    private func assemble(
        _ upload: UploadRow, _ replaced: ID<Media>?, of account: ID<Account>, by actor: Actor
    ) async throws -> Outcome {
        let bytes = try await database.uploads.bytes(upload, of: account)
        // Finished by another request meanwhile.
        guard bytes.count == upload.size else {
            guard let done = try await database.uploads.find(upload.key, of: account)?.media,
                let media = try await database.media.find(done)
            else { throw Failure.missing("upload") }
            return .finished(media, isNew: false)
        }
        do {
            let (media, isNew) = try await store(bytes, upload, replaced, by: actor)
            try await database.uploads.finish(upload.key, as: media.id, of: account)
            return .finished(media, isNew: isNew)
        } catch Failure.invalid(let errors) {
            try await database.uploads.remove(upload.key, of: account)
            throw Failure.invalid(errors)
        }
    }

    /// Adds an image, or a version of the one whose file is replaced.
    private func store(
        _ bytes: [UInt8], _ upload: UploadRow, _ replaced: ID<Media>?, by actor: Actor
    ) async throws -> (media: MediaRow, isNew: Bool) {
        guard let replaced else {
            let added = try await ingest(bytes, name: upload.name, alt: "", by: actor)
            return (added.media, added.isNew)
        }
        // The response to the last part may have been lost after the file was replaced.
        let same = try await database.media.find(uploadHash: try await EncodedFiles.hash(of: bytes))
        if same?.id != replaced { _ = try await replace(replaced, bytes, by: actor) }
        guard let media = try await database.media.find(replaced) else { throw Failure.missing("image") }
        return (media, false)
    }
}
