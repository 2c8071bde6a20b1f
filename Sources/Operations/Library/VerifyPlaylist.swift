// Checks whether a video's stream URL is an HLS playlist, and records the result (A38).
import Domain
import Fetch
import Localization
import Markup
import Store

package struct VerifyPlaylist: Sendable {
    private static let maxBytes = 1 << 20

    private let database: Database
    private let client: FetchClient

    package init(database: Database, client: FetchClient) {
        self.database = database
        self.client = client
    }

    /// Checks the stream URL of an entry's newest version. The playlist is fetched unless its content was pasted. The
    /// result applies to every version with this URL; a stream that is not a playlist is not published.
    package func callAsFunction(
        _ entry: ID<Entry>, pasted: [UInt8]? = nil, by actor: Actor
    ) async throws -> PlaylistFinding {
        try actor.require(.edit, tr("verify streams"))
        guard let newest = try await database.revisions.newest(of: entry) else { throw Failure.missing("entry") }
        guard let streamURL = newest.content.fields["hls_url"]?.stringValue else {
            throw Failure.refused(
                code: "no_stream", message: tr("The newest version has no stream URL. Add one and save."))
        }
        let finding = if let pasted { Self.read(pasted) } else { await fetch(streamURL) }
        let event = AuditEvent(
            "video.verify", on: "entry", entry.description,
            detail: ["stream_url": .string(streamURL), "is_playlist": .bool(finding.isPlaylist)])
        try await database.transaction(by: actor, event) { transaction in
            try await transaction.playlists.record(finding, of: streamURL, isPasted: pasted != nil, by: actor)
        }
        return finding
    }

    /// Fetches and checks a playlist. Without a response the result is `unreachable`, which blocks nothing.
    package func fetch(_ streamURL: String) async -> PlaylistFinding {
        var request = FetchRequest("GET", headers: [("Accept", "application/vnd.apple.mpegurl, */*;q=0.1")])
        request.responseLimit = Self.maxBytes
        let response: FetchResponse
        do {
            response = try await client.send(request, to: streamURL)
        } catch let failure as FetchFailure {
            return .unreachable(failure.description)
        } catch let refusal as FetchRefusal {
            return .unreachable(refusal.description)
        } catch {
            return .unreachable(tr("The request failed."))
        }
        switch response.status {
        case 200 where response.isCut:
            return .malformed(tr("The file is larger than \(Self.maxBytes >> 20) MB; a playlist is smaller."))
        case 200: return Self.read(response.body)
        case 300...399:
            return .unreachable(tr("The URL redirects (\(response.status)). Enter the final URL."))
        default: return .unreachable(tr("The server returned status \(response.status)."))
        }
    }

    private static func read(_ bytes: [UInt8]) -> PlaylistFinding {
        do {
            let playlist = try HLSPlaylist(reading: bytes)
            return playlist.kind == .master ? .master(playlist.parts) : .media(playlist.parts)
        } catch {
            return .malformed(error.description)
        }
    }
}
