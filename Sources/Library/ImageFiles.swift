// What became of an upload: the files that readers get, each encoded anew.

package struct ImageFiles: Sendable {
    package struct File: Sendable {
        package let width: Int
        package let height: Int
        package let bytes: [UInt8]
    }

    /// image/jpeg or image/png.
    package let type: String
    /// In order of their width; the last is the image in full.
    package let files: [File]
}
