// The state of a release.
import Localization

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

extension ReleaseState {
    package var label: String {
        switch self {
        case .open: tr("Open", context: "release state")
        case .scheduled: tr("Scheduled", context: "release state")
        case .published: tr("Published", context: "release state")
        case .failed: tr("Failed", context: "release state")
        case .canceled: tr("Canceled", context: "release state")
        }
    }
}
