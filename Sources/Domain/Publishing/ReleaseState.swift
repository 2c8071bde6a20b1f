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

extension Failure {
    /// A published or canceled release doesn't change any more.
    package static func releaseFinished(_ number: Int64, _ state: ReleaseState) -> Failure {
        .conflict(
            code: "release_finished",
            message: state == .canceled
                ? tr("Release \(number) is already canceled.") : tr("Release \(number) is already published."))
    }
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
