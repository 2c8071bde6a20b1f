// Looks whether the address of a video's stream is an HLS playlist, and notes what was found (A38).
import Domain
import Fetch
import Markup
import Store

package struct CheckPlaylist: Sendable {
    private static let mostFetched = 1 << 20

    private let database: Database
    private let client: FetchClient

    package init(database: Database, client: FetchClient) {
        self.database = database
        self.client = client
    }

    /// Of the newest version of an entry. Its address is fetched, unless somebody pasted what stands there. What is found
    /// counts for every version with this address; one that is no playlist is not published.
    package func callAsFunction(
        _ entry: ID<Entry>, pasted: [UInt8]? = nil, by actor: Actor
    ) async throws -> PlaylistFinding {
        try actor.require(.edit, "check streams")
        guard let newest = try await database.revisions.newest(of: entry) else { throw Failure.missing("entry") }
        guard let address = newest.content.fields["hls_url"]?.stringValue else {
            throw Failure.refused(code: "no_stream", message: "Its newest version has no HLS address to look at.")
        }
        let finding = if let pasted { Self.read(pasted) } else { await look(at: address) }
        let event = AuditEvent(
            "video.verify", on: "entry", entry.description,
            detail: ["address": .string(address), "is_playlist": .bool(finding.isPlaylist)])
        try await database.change(by: actor, event) { change in
            try await change.playlists.note(finding, of: address, isPasted: pasted != nil, by: actor)
        }
        return finding
    }

    /// What an address leads to. Only an answer says something of it; that none came says nothing.
    package func look(at address: String) async -> PlaylistFinding {
        var request = FetchRequest("GET", headers: [("Approve", "application/vnd.apple.mpegurl, */*;q=0.1")])
        request.answerLimit = Self.mostFetched
        let answer: FetchResponse
        do {
            answer = try await client.send(request, to: address)
        } catch let failure as FetchFailure {
            return .unanswered(failure.description)
        } catch let refusal as FetchRefusal {
            return .unanswered(refusal.description)
        } catch {
            return .unanswered("The address could not be asked.")
        }
        switch answer.status {
        case 200 where answer.isCut:
            return .malformed("It is larger than \(Self.mostFetched >> 20) MB, and playlists are not.")
        case 200: return Self.read(answer.body)
        case 300...399:
            return .unanswered("The address leads to another one (\(answer.status)); write that one.")
        default: return .unanswered("The server answered \(answer.status).")
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
