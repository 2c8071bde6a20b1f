// Writes a file so that after a crash it is there whole, or not at all.
import CSystem
import FoundationEssentials

package enum DurableFile {
    package struct Trouble: Error, CustomStringConvertible {
        package let description: String
    }

    /// Writes `folder/name` under another name first; the folder is made when it is missing. Holds the calling thread
    /// until the disk has it.
    package static func write(_ bytes: [UInt8], folder: String, name: String) throws {
        let isNew = !FileManager.default.fileExists(atPath: folder)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let temporary = ".\(name).\(Hex.text(SecureRandom.bytes(8)))"
        let failed = csystem_write_file(folder, temporary, name, bytes, bytes.count)
        if failed != 0 {
            let reason = strerror(failed).map { String(cString: $0) } ?? "error \(failed)"
            throw Trouble(description: "\(folder)/\(name) cannot be written: \(reason)")
        }
        if isNew { _ = csystem_sync_folder(folder + "/..") }
    }

    /// Size and age of an ordinary file; nil for anything else, and where there is nothing.
    package static func look(at path: String) -> (size: Int, age: Duration)? {
        var facts = stat()
        guard stat(path, &facts) == 0, Int32(facts.st_mode) & Int32(S_IFMT) == Int32(S_IFREG) else { return nil }
        return (Int(facts.st_size), .seconds(time(nil) - facts.st_mtim.tv_sec))
    }

    /// As if it had been written now.
    package static func makeYoung(_ path: String) {
        utimensat(AT_FDCWD, path, nil, 0)
    }

    /// The temporary files that a crash may leave behind begin so.
    package static let temporaryPrefix = "."
}
