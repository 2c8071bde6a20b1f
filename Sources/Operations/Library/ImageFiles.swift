// The re-encoded files of an uploaded image, in several widths.

package struct ImageFiles: Sendable {
    package struct File: Sendable {
        package let width: Int
        package let height: Int
        package let bytes: [UInt8]
    }

    /// image/jpeg or image/png.
    package let type: String
    /// Ordered by width; the last has the full size.
    package let files: [File]
}
