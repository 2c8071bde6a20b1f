// Reads the content types from their folder.
import Domain

extension ContentTypes {
    /// Reads every `*.json` of a folder; refused with every problem of every file, or when the folder has none.
    package init(folder: String) throws(Failure) {
        try self.init(files: try JSONFolder.files(in: folder, "content types"))
    }
}
