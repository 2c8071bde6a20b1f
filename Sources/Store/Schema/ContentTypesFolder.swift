// Reads the content types of the core and of the enabled packs from their folder.
import Domain

extension ContentTypes {
    /// Reads every `*.json` of a folder, and of its subfolder for each enabled pack. Throws all errors of all files, or an
    /// error if one of these folders contains none.
    package init(folder: String, packs: PackSet) throws(Failure) {
        var files = try JSONFolder.files(in: folder, "content types")
        for pack in packs.all.dropFirst() {
            files += try JSONFolder.files(in: folder + "/" + pack.name, "content types")
        }
        try self.init(files: files, kinds: packs.kinds, needs: packs.needs)
    }
}
