// Keeps the files of images in a folder, in 256 folders by the first digits of their names.
import Dispatch
import FoundationEssentials
import Platform

package struct MediaFolder: MediaFiles {
    package let path: String

    package init(path: String) {
        self.path = path
    }

    private func place(_ media: MediaPath) -> String { "\(path)/\(media.text)" }

    package func put(_ bytes: [UInt8], at media: MediaPath) async throws {
        try await Self.waiting {
            let place = place(media)
            if Self.size(of: place) == bytes.count {
                // The sweep leaves young files alone.
                DurableFile.makeYoung(place)
            } else {
                try DurableFile.write(bytes, folder: "\(path)/\(media.folder)", name: media.name)
            }
        }
    }

    package func content(_ media: MediaPath) async throws -> MediaContent? {
        let place = place(media)
        return Self.size(of: place).map { .file(path: place, size: $0) }
    }

    package func size(_ media: MediaPath) async throws -> Int? {
        Self.size(of: place(media))
    }

    package func remove(_ media: MediaPath) async throws {
        let place = place(media)
        guard FileManager.default.fileExists(atPath: place) else { return }
        try FileManager.default.removeItem(atPath: place)
    }

    /// One folder at a time. What a crash left half-written is removed once it is old.
    package func list(after last: MediaPath?) async throws -> (files: [(path: MediaPath, age: Duration)], isAll: Bool) {
        try await Self.waiting {
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
        let place = "\(path)/\(folder)"
        guard FileManager.default.fileExists(atPath: place) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: place).sorted().compactMap { name in
            let age = DurableFile.look(at: "\(place)/\(name)")?.age ?? .zero
            guard let media = MediaPath("\(folder)/\(name)") else {
                if name.hasPrefix(DurableFile.temporaryPrefix), age > .seconds(3600) {
                    try FileManager.default.removeItem(atPath: "\(place)/\(name)")
                }
                return nil
            }
            return (media, age)
        }
    }

    private static func size(of place: String) -> Int? {
        DurableFile.look(at: place)?.size
    }

    /// Disks are slow: not on an event loop.
    private static func waiting<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { caller in
            DispatchQueue.global().async { caller.resume(with: Result { try body() }) }
        }
    }
}
