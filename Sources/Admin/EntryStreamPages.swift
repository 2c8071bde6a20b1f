// Looking whether the stream of a video is a playlist, from the video's page: fetched, or pasted.
import Domain
import HTTP
import Library

enum EntryStreamPages {
    static let routes = [
        AdminEndpoint(method: "POST", pattern: "/entries/{id}/verify-stream", access: .may(.edit), handler: check)
    ]

    private static func check(_ request: AdminRequest) async throws -> Response {
        let id: ID<Entry> = try request.id()
        var pasted: [UInt8]?
        if request.form.first("action") == "pasted" {
            let text = request.form.first("playlist") ?? ""
            guard !text.allSatisfy(\.isWhitespace) else {
                return try await EntryPages.show(
                    request,
                    errors: FieldErrors(
                        "/playlist", "required", "Paste the text of the playlist; it begins with #EXTM3U."))
            }
            // Forms send lines with CR and LF, whatever the playlist had.
            pasted = Array(text.utf8)
        }
        let finding = try await CheckPlaylist(
            database: request.database, client: request.context.library.streams)(id, pasted: pasted, by: request.actor)
        return request.redirect(to: "/entries/\(id)", Flash(finding.sentence))
    }
}
