// The stream of a video on its page: its address, and what was found there.
import Domain
import Store

struct StreamPanel: Encodable, Sendable {
    struct Look: Encodable, Sendable {
        let sentence: String
        /// The color of the tag: `ok`, `bad` or `wait`.
        let tone: String
        let word: String
        let isPasted: Bool
        let who: String
        let when: Instant
    }

    let address: String
    /// The newest look; nil when nobody has looked yet.
    let look: Look?
    let mayCheck: Bool
    /// What somebody pasted, kept when it could not be taken.
    let pasted: String

    /// Nil for an entry without a stream.
    static func load(_ content: Content, _ request: AdminRequest) async throws -> StreamPanel? {
        guard let address = content.fields["hls_url"]?.stringValue else { return nil }
        let newest = try await request.database.playlists.newest(at: address)
        return StreamPanel(
            address: address, look: newest.map(look), mayCheck: request.actor.may(.edit),
            pasted: request.form.first("playlist") ?? "")
    }

    private static func look(_ row: PlaylistCheckRow) -> Look {
        let (tone, word) =
            switch row.finding {
            case .master, .media: ("ok", "plays")
            case .malformed: ("bad", "no playlist")
            case .unanswered: ("wait", "not known")
            }
        return Look(
            sentence: row.finding.sentence, tone: tone, word: word, isPasted: row.isPasted, who: row.checkedBy,
            when: Instant(row.checkedAt))
    }
}
