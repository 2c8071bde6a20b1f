// A real server on this machine that answers as the sources of catalogs do: with what they answered once, or wrongly.
import Domain
import EventLoop
import FoundationEssentials
import HTTP
import Synchronization
import TestSupport

final class SourceServer: Sendable {
    struct Question: Sendable {
        let path: String
        let query: [String: String]
        let authorization: String?
    }

    private struct State {
        var asked: [Question] = []
        var answer: @Sendable (Question) async -> Response = { _ in Response.status(404) }
    }

    private let state = Mutex(State())
    private let loop = EventLoop(name: "source")
    private let server = Mutex<Server?>(nil)

    var asked: [Question] { state.withLock { $0.asked } }

    func answer(_ answer: @escaping @Sendable (Question) async -> Response) {
        state.withLock { $0.answer = answer }
    }

    func answer(_ body: String, status: Int = 200) {
        answer { _ in Self.response(Array(body.utf8), status) }
    }

    /// The port it listens on.
    func start() throws -> Int {
        loop.start()
        var configuration = ServerConfiguration()
        configuration.idleTimeout = .seconds(60)
        let server = Server(configuration: configuration, loops: [loop]) { [self] request in
            let question = Question(
                path: request.path,
                query: Dictionary(request.query.fields.map { ($0.name, $0.value) }) { first, _ in first },
                authorization: request.headers["Authorization"])
            let answer = state.withLock { state in
                state.asked.append(question)
                return state.answer
            }
            return await answer(question)
        }
        try server.start()
        self.server.withLock { $0 = server }
        return server.port
    }

    func stop() async {
        await server.withLock { $0 }?.drain(grace: .zero)
        loop.stop()
    }

    static func response(_ body: [UInt8], _ status: Int = 200) -> Response {
        var response = Response.bytes(body, type: "application/octet-stream")
        response.status = status
        return response
    }

    // MARK: What was recorded

    /// `$VITRINE_DATA/catalogs`, or `../shared/data/catalogs` beside the package.
    static let folder: String = {
        let given = ProcessInfo.processInfo.environment["VITRINE_DATA"]
        return (given ?? TestDatabase.packageRoot + "/../shared/data") + "/catalogs"
    }()

    static var hasRecords: Bool { FileManager.default.fileExists(atPath: folder + "/SOURCES.md") }

    static func recorded(_ name: String) -> [UInt8] {
        FileManager.default.contents(atPath: "\(folder)/\(name)").map { [UInt8]($0) } ?? []
    }

    /// Answers each question with what the source answered to such a one.
    func answerAsRecorded() {
        answer { question in
            guard let name = Self.file(for: question) else { return Response.status(404) }
            return Self.response(Self.recorded(name))
        }
    }

    private static func file(for question: Question) -> String? {
        switch question.path {
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
            switch question.query["method"] {
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
