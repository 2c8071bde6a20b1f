// Stores the files of images in a folder with 256 subfolders, by the first digits of their names.
import Dispatch
import FoundationEssentials
import Glibc
import Localization
import Platform

package struct MediaFolder: MediaFiles {
    package let path: String

    package init(path: String) {
        self.path = path
    }

    private func filePath(of media: MediaPath) -> String { "\(path)/\(media.text)" }

    package func put(_ bytes: [UInt8], at media: MediaPath) async throws {
        try await Self.blocking {
            if let problem = problem() ?? missing() { throw DurableFile.WriteError(description: problem) }
            let file = filePath(of: media)
            if Self.size(of: file) == bytes.count {
                // The cleanup skips young files.
                DurableFile.touch(file)
            } else {
                try DurableFile.write(bytes, folder: "\(path)/\(media.folder)", name: media.name)
            }
        }
    }

    package func content(_ media: MediaPath) async throws -> MediaContent? {
        let file = filePath(of: media)
        guard let size = Self.size(of: file) else { return nil }
        guard access(file, R_OK) == 0 else {
            throw DurableFile.WriteError(description: tr("\(file) can't be read. Check its owner and permissions."))
        }
        return .file(path: file, size: size)
    }

    package func size(_ media: MediaPath) async throws -> Int? {
        Self.size(of: filePath(of: media))
    }

    package func remove(_ media: MediaPath) async throws {
        let file = filePath(of: media)
        guard FileManager.default.fileExists(atPath: file) else { return }
        try FileManager.default.removeItem(atPath: file)
    }

    /// One subfolder at a time. Old temporary files, left by a crash, are deleted.
    package func list(after last: MediaPath?) async throws -> (files: [(path: MediaPath, age: Duration)], isAll: Bool) {
        try await Self.blocking {
            let begin = last.flatMap { Int($0.folder, radix: 16) }.map { $0 + 1 } ?? 0
            for number in begin..<256 {
                let folder = Hex.text([UInt8(number)])
                let files = try files(in: folder)
                if !files.isEmpty { return (files, false) }
            }
            return ([], true)
        }
    }

    private func files(in folder: String) throws -> [(path: MediaPath, age: Duration)] {
        let directory = "\(path)/\(folder)"
        guard FileManager.default.fileExists(atPath: directory) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: directory).sorted().compactMap { name in
            let age = DurableFile.attributes(of: "\(directory)/\(name)")?.age ?? .zero
            guard let media = MediaPath("\(folder)/\(name)") else {
                if name.hasPrefix(DurableFile.temporaryPrefix), age > .seconds(3600) {
                    try FileManager.default.removeItem(atPath: "\(directory)/\(name)")
                }
                return nil
            }
            return (media, age)
        }
    }

    package var location: String { path }

    package func problem() -> String? { FolderOwner.problem(with: path) }

    package func missing() -> String? {
        if FileManager.default.fileExists(atPath: path) { return nil }
        return tr("\(path) doesn't exist. The first daemon creates it, as its own user: start that first.")
    }

    package func identity() async throws -> String? {
        let path = path
        return try await Self.blocking {
            let file = open("\(path)/\(MediaStoreID.name)", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            if file < 0, errno == ENOENT || errno == ENOTDIR { return nil }
            guard file >= 0 else { throw MediaStoreID.unreadable(path) }
            defer { close(file) }
            var bytes = [UInt8](repeating: 0, count: MediaStoreID.maximumBytes)
            let count = Glibc.read(file, &bytes, bytes.count)
            guard count >= 0 else { throw MediaStoreID.unreadable(path) }
            return try MediaStoreID.read(Array(bytes.prefix(count)), of: path)
        }
    }

    package func addIdentity(_ id: String) async throws {
        try await Self.blocking {
            let draft = "\(MediaStoreID.name).\(id)"
            try DurableFile.write(Array("\(id)\n".utf8), folder: path, name: draft)
            // Fails if there is one.
            _ = link("\(path)/\(draft)", "\(path)/\(MediaStoreID.name)")
            unlink("\(path)/\(draft)")
        }
    }

    private static func size(of file: String) -> Int? {
        DurableFile.attributes(of: file)?.size
    }

    /// Blocking disk access must not run on an event loop.
    private static func blocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value
    {
        try await withCheckedThrowingContinuation { caller in
            DispatchQueue.global().async { caller.resume(with: Result { try body() }) }
        }
    }
}
