// The state of a release.

package enum ReleaseState: String, Sendable, CaseIterable, Codable {
    /// Open for changes.
    case open
    /// To be published at its time.
    case scheduled
    case published
    /// The scheduled publication failed; the release has the reason.
    case failed
    case canceled
}
