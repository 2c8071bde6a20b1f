// Whether the files of an image exist in storage.

package enum MediaState: String, Sendable, CaseIterable {
    case stored
    /// The last verification did not find all files, so the image cannot be published.
    case missing
}
