// Writes files atomically and durably.
import CSystem
import FoundationEssentials

package enum DurableFile {
    package struct WriteError: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) {
            self.description = description
        }
    }

    /// Writes a temporary file, then renames it to `folder/name`. Creates a missing folder. Blocks the calling thread until
    /// the file is on disk.
    package static func write(_ bytes: [UInt8], folder: String, name: String) throws {
        let isNew = !FileManager.default.fileExists(atPath: folder)
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch let error as CocoaError {
            throw WriteError(description: FileProblem.sentence(for: error))
        }
        let temporary = ".\(name).\(Hex.text(SecureRandom.bytes(8)))"
        let failed = csystem_write_file(folder, temporary, name, bytes, bytes.count)
        if failed != 0 {
            let reason = strerror(failed).map { String(cString: $0) } ?? "error \(failed)"
            throw WriteError(description: "\(folder)/\(name) can't be written: \(reason)")
        }
        if isNew { _ = csystem_sync_folder(folder + "/..") }
    }

    /// Size and age of a regular file; nil for anything else.
    package static func attributes(of path: String) -> (size: Int, age: Duration)? {
        var info = stat()
        guard stat(path, &info) == 0, Int32(info.st_mode) & Int32(S_IFMT) == Int32(S_IFREG) else { return nil }
        return (Int(info.st_size), .seconds(time(nil) - info.st_mtim.tv_sec))
    }

    /// Sets the modification time to now.
    package static func touch(_ path: String) {
        utimensat(AT_FDCWD, path, nil, 0)
    }

    /// Prefix of the temporary files that a crash may leave behind.
    package static let temporaryPrefix = "."
}
