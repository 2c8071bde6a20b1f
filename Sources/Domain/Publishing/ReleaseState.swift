// Where a release stands.

package enum ReleaseState: String, Sendable, CaseIterable, Codable {
    /// Being put together.
    case open
    /// Goes live at its time.
    case scheduled
    case published
    /// Its time came and the publication was refused; the release says why.
    case failed
    case canceled
}
