// Reads the catalogs of a folder.
import Domain
import Store

extension CatalogKinds {
    /// Reads every `*.json` of a folder. Throws all errors of all files, or an error if the folder contains none.
    package init(folder: String) throws(Failure) {
        try self.init(files: try JSONFolder.files(in: folder, "catalogs"))
    }
}
