// Checks a video's stream from its page: the playlist is fetched or pasted.
import Domain
import HTTP
import Localization
import Operations

enum EntryStreamPages {
    static func check(_ request: AdminRequest) async throws -> Response {
        let id: ID<Entry> = try request.id()
        var pasted: [UInt8]?
        if request.form.first("action") == "pasted" {
            let text = request.form.first("playlist") ?? ""
            guard !text.allSatisfy(\.isWhitespace) else {
                return try await EntryPages.show(
                    request,
                    errors: FieldErrors(
                        "/playlist", "required", tr("Paste the playlist. It begins with #EXTM3U.")))
            }
            // Browsers send CR LF line endings; playlists may have either.
            pasted = Array(text.utf8)
        }
        let finding = try await VerifyPlaylist(
            database: request.database, client: request.context.library.streams)(id, pasted: pasted, by: request.actor)
        return request.redirect(to: AdminURL.entry(id), Flash(finding.sentence))
    }
}
