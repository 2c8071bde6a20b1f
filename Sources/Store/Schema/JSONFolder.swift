// Reads the JSON files of a folder: content types, catalogs.
import Domain
import FoundationEssentials

package enum JSONFolder {
    /// Every `*.json` of a folder. Throws if one is unreadable or there is none. `plural` completes "There are no …".
    package static func files(in folder: String, _ plural: String) throws(Failure) -> [(name: String, bytes: [UInt8])] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        var files: [(name: String, bytes: [UInt8])] = []
        for name in names where name.hasSuffix(".json") {
            guard let data = FileManager.default.contents(atPath: "\(folder)/\(name)") else {
                throw .invalid(FieldErrors(name, "unreadable", "The file cannot be read."))
            }
            files.append((name: name, bytes: [UInt8](data)))
        }
        if files.isEmpty {
            throw .invalid(FieldErrors(folder, "missing", "There are no \(plural) (*.json) in this folder."))
        }
        return files
    }
}
