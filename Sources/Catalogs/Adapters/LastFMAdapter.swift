// Songs from the Last.fm API, version 2.0: one song, an artist's songs, by title, the artists of the hour (D32).
import Domain
import Markup

struct LastFMAdapter: CatalogAdapter {
    let source = "lastfm"
    let label = "Last.fm"
    let needsKey = true

    func searches(of kind: String) -> [CatalogSearch] {
        let artist = CatalogSearch.Field("artist", "Artist", .words)
        let title = CatalogSearch.Field("title", "Title of the song", .words)
        return [
            CatalogSearch("info", "One song", [artist, title]),
            CatalogSearch("artist", "Songs of an artist", [artist, CatalogSearch.pageField]),
            CatalogSearch("title", "By title", [title, CatalogSearch.pageField]),
            CatalogSearch("top_artists", "Names of the top artists", [CatalogSearch.pageField]),
        ]
    }

    func request(_ question: CatalogQuery, key: String?) -> CatalogRequest {
        var query: [(name: String, value: String)]
        switch question.search {
        case "artist":
            query = [("method", "artist.getTopTracks"), ("artist", question["artist"] ?? ""), ("limit", "20")]
        case "title":
            query = [("method", "track.search"), ("track", question["title"] ?? ""), ("limit", "20")]
        case "top_artists": query = [("method", "chart.getTopArtists"), ("limit", "50")]
        default:
            query = [
                ("method", "track.getInfo"), ("artist", question["artist"] ?? ""), ("track", question["title"] ?? ""),
                ("autocorrect", "1"),
            ]
        }
        if let page = question["page"] { query.append(("page", page)) }
        return CatalogRequest(path: "", query: query + Self.key(key))
    }

    /// The id of a song is the path of its page, `Artist/_/Title`: the API has no other that every song has.
    func request(externalID: String, kind: String, key: String?) -> CatalogRequest {
        let parts = externalID.split(separator: "/_/", maxSplits: 1).map { Self.decoded(String($0)) }
        return CatalogRequest(
            path: "",
            query: [
                ("method", "track.getInfo"), ("artist", parts.first ?? ""), ("track", parts.count > 1 ? parts[1] : ""),
            ] + Self.key(key))
    }

    private static func key(_ key: String?) -> [(name: String, value: String)] { key.map { [("api_key", $0)] } ?? [] }

    func read(_ body: [UInt8], _ kind: CatalogKind) throws -> CatalogReading {
        guard let root = try? PlainXML(body), root.name == "lfm" else {
            throw MalformedResponse(description: "The answer is not the XML of Last.fm.")
        }
        guard root.attributes["status"] == "ok", let answer = root.children.first else {
            throw MalformedResponse(description: "The answer says that the question failed.")
        }
        switch answer.name {
        case "track": return CatalogReading(records: [record(answer, kind)].compactMap(\.self))
        case "toptracks": return CatalogReading(records: records(answer, kind))
        case "results":
            guard let matches = answer.first("trackmatches") else { break }
            return CatalogReading(records: records(matches, kind))
        case "artists":
            return CatalogReading(
                hints: answer.all("artist").prefix(Self.most).compactMap {
                    $0.text("name").map(PlainText.singleLine)
                })
        default: break
        }
        throw MalformedResponse(description: "The answer holds neither songs nor artists.")
    }

    private func records(_ list: PlainXML, _ kind: CatalogKind) -> [CatalogRecord] {
        list.all("track").prefix(Self.most).compactMap { record($0, kind) }
    }

    private func record(_ track: PlainXML, _ kind: CatalogKind) -> CatalogRecord? {
        guard let title = track.text("name"), let url = track.text("url"), let id = Self.path(url) else { return nil }
        // In lists of matches the artist is a text, elsewhere an element with a name.
        let artist = track.first("artist")
        guard let name = artist?.text("name") ?? artist?.text, !name.isEmpty else { return nil }
        var maker = DetailBuilder([:])
        maker.put(.string(name), as: "artist")
        maker.put(.string(url), as: "url")
        maker.put(track.text("mbid").map(JSONValue.string), as: "mbid")
        maker.put(track.text("listeners").flatMap { Int64($0) }.map(JSONValue.int), as: "listeners")
        maker.put(track.text("playcount").flatMap { Int64($0) }.map(JSONValue.int), as: "playcount")
        // Milliseconds; 0 where it is not known.
        let length = track.text("duration").flatMap { Double($0) } ?? 0
        if length > 0 { maker.put(.number(length / 1000), as: "seconds") }
        maker.put(track.first("album")?.text("title").map(JSONValue.string), as: "album")
        let tags = track.first("toptags")?.all("tag").compactMap { $0.text("name").map(JSONValue.string) } ?? []
        maker.put(.array(tags), as: "tags")
        maker.put(track.first("wiki")?.text("summary").map(JSONValue.string), as: "about")
        return CatalogRecord(kind, externalID: id, title: title, details: maker.finish())
    }

    /// What stands behind `/music/` in the address of a song.
    private static func path(_ url: String) -> String? {
        guard let start = url.firstRange(of: "/music/") else { return nil }
        let path = String(url[start.upperBound...])
        return path.contains("/_/") ? path : nil
    }

    /// `+` is a space, `%27` an apostrophe; what cannot be read stays.
    private static func decoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
