// Reads the content types from their folder.
import Domain
import FoundationEssentials

extension ContentTypes {
    /// Reads every `*.json` of a folder; refused with every problem of every file, or when the folder has none.
    package init(folder: String) throws(Failure) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        var files: [(name: String, bytes: [UInt8])] = []
        for name in names where name.hasSuffix(".json") {
            guard let data = FileManager.default.contents(atPath: "\(folder)/\(name)") else {
                throw .invalid(FieldErrors(name, "unreadable", "The file cannot be read."))
            }
            files.append((name: name, bytes: [UInt8](data)))
        }
        if files.isEmpty {
            throw .invalid(FieldErrors(folder, "missing", "There are no content types (*.json) in this folder."))
        }
        try self.init(files: files)
    }
}
