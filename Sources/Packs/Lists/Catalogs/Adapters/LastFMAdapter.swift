// Songs from the Last.fm API, version 2.0: one song, an artist's songs, by title, the top artists (D32).
import Domain
import Localization
import Markup

struct LastFMAdapter: CatalogAdapter {
    let source = "lastfm"
    let label = "Last.fm"
    let needsKey = true
    let kinds: Set = ["song"]

    func searches(of kind: String) -> [CatalogSearch] {
        let artist = CatalogSearch.Field("artist", tr("Artist", context: "last fmadapter"), .text)
        let title = CatalogSearch.Field("title", tr("Song title"), .text)
        return [
            CatalogSearch("info", tr("One song"), [artist, title]),
            CatalogSearch("artist", tr("By artist"), [artist, CatalogSearch.pageField]),
            CatalogSearch("title", tr("By title"), [title, CatalogSearch.pageField]),
            CatalogSearch("top_artists", tr("Top artists"), [CatalogSearch.pageField]),
        ]
    }

    func request(_ search: CatalogQuery, key: String?) -> CatalogRequest {
        var query: [(name: String, value: String)]
        switch search.search {
        case "artist":
            query = [("method", "artist.getTopTracks"), ("artist", search["artist"] ?? ""), ("limit", "20")]
        case "title":
            query = [("method", "track.search"), ("track", search["title"] ?? ""), ("limit", "20")]
        case "top_artists": query = [("method", "chart.getTopArtists"), ("limit", "50")]
        default:
            query = [
                ("method", "track.getInfo"), ("artist", search["artist"] ?? ""), ("track", search["title"] ?? ""),
                ("autocorrect", "1"),
            ]
        }
        if let page = search["page"] { query.append(("page", page)) }
        return CatalogRequest(path: "", query: query + Self.key(key))
    }

    /// The id of a song is the path of its page, `Artist/_/Title`: the only id in the API that every song has.
    func request(externalID: String, kind: String, key: String?) -> CatalogRequest {
        let parts = externalID.split(separator: "/_/", maxSplits: 1).map { Self.decoded(String($0)) }
        return CatalogRequest(
            path: "",
            query: [
                ("method", "track.getInfo"), ("artist", parts.first ?? ""), ("track", parts.count > 1 ? parts[1] : ""),
            ] + Self.key(key))
    }

    private static func key(_ key: String?) -> [(name: String, value: String)] { key.map { [("api_key", $0)] } ?? [] }

    func read(_ body: [UInt8], _ kind: CatalogKind) throws -> CatalogResults {
        guard let root = try? PlainXML(body), root.name == "lfm" else {
            throw MalformedResponse(description: tr("The response is not Last.fm XML."))
        }
        guard root.attributes["status"] == "ok", let result = root.children.first else {
            throw MalformedResponse(description: tr("The response reports an error."))
        }
        switch result.name {
        case "track": return CatalogResults(records: [record(result, kind)].compactMap(\.self))
        case "toptracks": return CatalogResults(records: records(result, kind))
        case "results":
            guard let matches = result.first("trackmatches") else { break }
            return CatalogResults(records: records(matches, kind))
        case "artists":
            return CatalogResults(
                hints: result.all("artist").prefix(Self.maxRecords).compactMap {
                    $0.text("name").map(PlainText.singleLine)
                })
        default: break
        }
        throw MalformedResponse(description: tr("The response has neither songs nor artists."))
    }

    private func records(_ list: PlainXML, _ kind: CatalogKind) -> [CatalogRecord] {
        list.all("track").prefix(Self.maxRecords).compactMap { record($0, kind) }
    }

    private func record(_ track: PlainXML, _ kind: CatalogKind) -> CatalogRecord? {
        guard let title = track.text("name"), let url = track.text("url"), let id = Self.path(url) else { return nil }
        // The artist is text in search results, elsewhere an element with a name.
        let artist = track.first("artist")
        guard let name = artist?.text("name") ?? artist?.text, !name.isEmpty else { return nil }
        var details = DetailBuilder([:])
        details.put(.string(name), as: "artist")
        details.put(.string(url), as: "url")
        details.put(track.text("mbid").map(JSONValue.string), as: "mbid")
        details.put(track.text("listeners").flatMap { Int64($0) }.map(JSONValue.int), as: "listeners")
        details.put(track.text("playcount").flatMap { Int64($0) }.map(JSONValue.int), as: "playcount")
        // Milliseconds; 0 when unknown.
        let length = track.text("duration").flatMap { Double($0) } ?? 0
        if length > 0 { details.put(.number(length / 1000), as: "seconds") }
        details.put(track.first("album")?.text("title").map(JSONValue.string), as: "album")
        let tags = track.first("toptags")?.all("tag").compactMap { $0.text("name").map(JSONValue.string) } ?? []
        details.put(.array(tags), as: "tags")
        details.put(track.first("wiki")?.text("summary").map(JSONValue.string), as: "about")
        return CatalogRecord(kind, externalID: id, title: title, details: details.finish())
    }

    /// The part of a song's URL after `/music/`.
    private static func path(_ url: String) -> String? {
        guard let start = url.firstRange(of: "/music/") else { return nil }
        let path = String(url[start.upperBound...])
        return path.contains("/_/") ? path : nil
    }

    /// `+` is a space, `%27` an apostrophe; invalid escapes stay as they are.
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
