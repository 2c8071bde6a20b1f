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

    /// The temporary files that a crash may leave behind begin so.
    package static let temporaryPrefix = "."
}
