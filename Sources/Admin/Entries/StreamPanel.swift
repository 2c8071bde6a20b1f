// The stream of a video on its page: its URL and the result of the last check.
import Domain
import Localization
import Store

struct StreamPanel: Encodable, Sendable {
    struct Check: Encodable, Sendable {
        let message: String
        /// The color of the tag: `ok`, `bad` or `wait`.
        let tone: String
        let label: String
        let isPasted: Bool
        let checkedBy: String
        let checkedAt: Instant
    }

    let url: String
    /// The newest check, if any.
    let check: Check?
    let mayCheck: Bool
    /// The pasted playlist, kept when it was rejected.
    let pasted: String
    let autosave: Autosaved?

    /// Nil for an entry without a stream. Says in `request` that its form is saved while somebody types.
    static func load(
        _ content: Content, _ entry: EntryRow, _ request: inout AdminRequest
    ) async throws -> StreamPanel? {
        guard let url = content.fields["hls_url"]?.stringValue else { return nil }
        let form = AdminURL.entry(entry.id) + "#stream"
        let mayCheck = request.actor.may(.edit)
        var pasted = request.form.first("playlist") ?? ""
        if mayCheck {
            request = try await request.autosaving([
                form: tr("Playlist: \(EntryTitles.shown(entry.title))", context: "autosave")
            ])
            if let typed = request.restore(form) { pasted = typed.first("playlist") ?? "" }
        }
        let newest = try await request.database.playlists.newest(of: url)
        return StreamPanel(
            url: url, check: newest.map(check), mayCheck: mayCheck, pasted: pasted, autosave: request.autosave(form))
    }

    private static func check(_ row: PlaylistCheckRow) -> Check {
        let (tone, label) =
            switch row.finding {
            case .master, .media: ("ok", tr("Valid", context: "check"))
            case .malformed: ("bad", tr("Not a playlist"))
            case .unreachable: ("wait", tr("Unknown", context: "check"))
            }
        return Check(
            message: row.finding.sentence, tone: tone, label: label, isPasted: row.isPasted,
            checkedBy: ActorName.shown(row.checkedBy),
            checkedAt: Instant(row.checkedAt))
    }
}
