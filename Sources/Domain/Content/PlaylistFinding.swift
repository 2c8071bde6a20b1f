// The result of checking a stream URL.
import Localization

package enum PlaylistFinding: Sendable, Equatable {
    /// An HLS master playlist with this number of variants.
    case master(Int)
    /// An HLS media playlist with this number of segments.
    case media(Int)
    /// Not a playlist, with the reason; entries with this stream cannot be published.
    case malformed(String)
    /// No usable response, with the reason; the previous result still applies.
    case unreachable(String)

    package var isPlaylist: Bool {
        switch self {
        case .master, .media: true
        case .malformed, .unreachable: false
        }
    }

    /// A sentence for people.
    package var sentence: String {
        switch self {
        case .master(let variants): tr("HLS playlist with \(variants, one: "# variant", other: "# variants").")
        case .media(let segments): tr("HLS playlist with \(segments, one: "# segment", other: "# segments").")
        case .malformed(let reason): tr("Not an HLS playlist: \(reason)")
        case .unreachable(let reason): tr("The check failed: \(reason)")
        }
    }
}
