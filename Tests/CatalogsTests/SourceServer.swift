// A local server that imitates catalog sources, with recorded or malformed responses.
import Domain
import FoundationEssentials
import HTTP
import Synchronization
import TestBasics
import TestSupport

final class SourceServer: Sendable {
    struct Request: Sendable {
        let path: String
        let query: [String: String]
        let authorization: String?
    }

    private struct State {
        var requests: [Request] = []
        var respond: @Sendable (Request) async -> Response = { _ in Response.status(404) }
    }

    private let state = Mutex(State())
    private let server = LocalServer("source")

    var requests: [Request] { state.withLock { $0.requests } }

    func respond(_ respond: @escaping @Sendable (Request) async -> Response) {
        state.withLock { $0.respond = respond }
    }

    func respond(_ body: String, status: Int = 200) {
        respond { _ in Self.response(Array(body.utf8), status) }
    }

    /// Starts the server and returns its port.
    func start() throws -> Int {
        var configuration = ServerConfiguration()
        configuration.idleTimeout = .seconds(60)
        return try server.start(configuration) { [self] received in
            let request = Request(
                path: received.path,
                query: Dictionary(received.query.fields.map { ($0.name, $0.value) }) { first, _ in first },
                authorization: received.headers["Authorization"])
            let respond = state.withLock { state in
                state.requests.append(request)
                return state.respond
            }
            return await respond(request)
        }
    }

    func stop() async {
        await server.stop()
    }

    static func response(_ body: [UInt8], _ status: Int = 200) -> Response {
        var response = Response.bytes(body, type: "application/octet-stream")
        response.status = status
        return response
    }

    // MARK: Recorded responses

    static func recorded(_ name: String) -> [UInt8] { TestData.read("catalogues/\(name)") }

    /// Responds to each request with the recorded response of the source.
    func respondAsRecorded() {
        respond { request in
            guard let name = Self.file(for: request) else { return Response.status(404) }
            return Self.response(Self.recorded(name))
        }
    }

    private static func file(for request: Request) -> String? {
        switch request.path {
        case "/books/volumes", "/books/volumes/GjASzgEACAAJ": "googlebooks/volumes_isbn_ja.json"
        case "/tmdb/movie/now_playing": "tmdb/vcr_movie_now_playing.json"
        case "/tmdb/movie/popular": "tmdb/vcr_movie_popular.json"
        case "/tmdb/movie/latest": "tmdb/vcr_movie_return_latest_movie.json"
        case "/tmdb/movie/22855": "tmdb/vcr_movie_detail.json"
        case "/tmdb/tv/on_the_air", "/tmdb/tv/popular": "tmdb/vcr_tv_popular.json"
        case "/tmdb/tv/1396": "tmdb/vcr_tv_detail.json"
        case "/yelp/businesses/search": "yelp/v3_search_san_francisco.json"
        case "/yelp/businesses/gary": "yelp/yelpios_v3_business_response.json"
        case "/songs/":
            switch request.query["method"] {
            case "track.getInfo": "lastfm/pylast_track.getinfo_0.xml"
            case "track.search": "lastfm/rubylastfm_track_search.xml"
            case "artist.getTopTracks": "lastfm/pylast_artist.gettoptracks_0.xml"
            case "chart.getTopArtists": "lastfm/pylast_chart.gettopartists_1.xml"
            default: nil
            }
        default: nil
        }
    }
}
