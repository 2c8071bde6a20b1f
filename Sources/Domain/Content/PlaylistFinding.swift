// What the address of a stream was found to be.

package enum PlaylistFinding: Sendable, Equatable {
    /// An HLS playlist of so many variants.
    case master(Int)
    /// An HLS playlist of so many segments.
    case media(Int)
    /// Something else, and why: nothing that shows it is published.
    case malformed(String)
    /// Nothing came that says what it is: what was found before still counts.
    case unanswered(String)

    package var isPlaylist: Bool {
        switch self {
        case .master, .media: true
        case .malformed, .unanswered: false
        }
    }

    /// For people.
    package var sentence: String {
        switch self {
        case .master(let variants): "It is an HLS playlist with \(variants) variant\(variants == 1 ? "" : "s")."
        case .media(let segments): "It is an HLS playlist with \(segments) segment\(segments == 1 ? "" : "s")."
        case .malformed(let reason): "It is no HLS playlist: \(reason)"
        case .unanswered(let reason): "It could not be looked at: \(reason)"
        }
    }
}
