// Encodes images in the helper and stores their files, for every operation that makes some.
import Domain
import Localization
import Platform
import Store

struct EncodedFiles: Sendable {
    let database: Database
    let processor: ImageProcessor
    let files: any MediaFiles

    static func hash(of bytes: [UInt8]) async throws -> [UInt8] {
        try await Quotas.checksums.run { SHA256.hash(bytes) }
    }

    /// The image with this file. One outside the actor's access scope is refused without a word about it, except that it exists:
    /// the library has each file once.
    func image(uploadHash hash: [UInt8], for actor: Actor) async throws -> MediaRow? {
        guard let known = try await database.media.find(uploadHash: hash) else { return nil }
        guard try await database.access.contains(.image(known.id), actor.scope) else {
            let message = tr("The media library has this file outside your access scope. Choose another file.")
            throw Failure.invalid(FieldErrors("/file", "already_stored", message))
        }
        return known
    }

    func checkStore(by actor: Actor) async throws {
        do {
            try await VerifyMediaStore(database.identities, files: files).beforeWriting()
        } catch let error as Failure {
            throw error
        } catch let error where actor.kind != .operator {
            throw Self.unavailable(error)
        }
    }

    /// The bytes of a stored file; nil if it is missing.
    func bytes(at path: String) async throws -> [UInt8]? {
        guard let path = MediaPath(path) else { return nil }
        do {
            return try await files.bytes(path)
        } catch {
            throw Self.unavailable(error)
        }
    }

    /// The stored files by width. Files are stored before rows: after a crash there may be files without a row, which the
    /// cleanup removes, but never a row without its files (R36).
    func store(_ upload: [UInt8], crop: ImageCrop = .whole) async throws -> (type: String, files: [ImageValue.File]) {
        let encoded = try await processor.files(of: upload, crop: crop)
        var stored: [ImageValue.File] = []
        for file in encoded.files {
            let path = try await Quotas.checksums.run { MediaPath(of: file.bytes, type: encoded.type) }
            do {
                try await files.put(file.bytes, at: path)
            } catch {
                throw Self.unavailable(error)
            }
            stored.append(
                ImageValue.File(
                    path: path.text, width: file.width, height: file.height, bytes: file.bytes.count,
                    sha256: path.sha256))
        }
        return (encoded.type, stored)
    }

    private static func unavailable(_ error: any Error) -> any Error {
        if error is CancellationError { return error }
        return Failure.unavailable("The image can't be stored. Try again later.", cause: "\(error)")
    }
}
