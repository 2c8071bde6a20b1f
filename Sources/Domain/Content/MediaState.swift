// Whether the files of an image are where they should be.

package enum MediaState: String, Sendable, CaseIterable {
    case stored
    /// The last check did not find all of its files: it cannot be published.
    case missing
}
