// Tests that real playlists are accepted and invalid ones rejected.
import FoundationEssentials
import Markup
import Testing

@Suite("HLS playlists")
struct HLSPlaylistTests {
    private struct Sample: Sendable, CustomStringConvertible {
        let name: String
        let bytes: [UInt8]
        let parts: Int
        var description: String { name }
    }

    /// The playlists of `$VITRINE_DATA/hls`, or `../shared/data/hls` next to the package, with the number of variants or
    /// segments of its manifest.
    private static let samples: [Sample] = {
        let root = #filePath.split(separator: "/").dropLast(4).reduce("") { "\($0)/\($1)" }
        let given = ProcessInfo.processInfo.environment["VITRINE_DATA"]
        let folder = (given ?? root + "/../shared/data") + "/hls"
        let table = FileManager.default.contents(atPath: folder + "/SOURCES.md") ?? Data()
        return String(decoding: table, as: UTF8.self).split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { $0.filter { $0 != " " } }
            guard cells.count > 6, let parts = Int(cells[6]),
                let bytes = FileManager.default.contents(atPath: "\(folder)/\(cells[0])")
            else { return nil }
            return Sample(name: cells[0], bytes: [UInt8](bytes), parts: parts)
        }
    }()

    @Test(
        "A38: every real playlist is parsed; the one without its first line is rejected", arguments: samples
    )
    private func real(sample: Sample) throws {
        if sample.name.contains("manifestNoExtM3u") {
            #expect(throws: HLSProblem(line: 1, sentence: "The first line must be #EXTM3U.")) {
                _ = try HLSPlaylist(reading: sample.bytes)
            }
            return
        }
        let playlist = try HLSPlaylist(reading: sample.bytes)
        let text = String(decoding: sample.bytes, as: UTF8.self)
        #expect(playlist.kind == (text.contains("#EXT-X-STREAM-INF") ? .master : .media))
        let tag = playlist.kind == .master ? "#EXT-X-STREAM-INF" : "#EXTINF"
        #expect(playlist.parts == text.split(whereSeparator: \.isNewline).filter { $0.hasPrefix(tag) }.count)
    }

    private static let media = """
        #EXTM3U
        #EXT-X-VERSION:4
        #EXT-X-TARGETDURATION:10
        #EXT-X-MEDIA-SEQUENCE:3
        #EXT-X-KEY:METHOD=AES-128,URI="k",IV=0x1
        #EXT-X-MAP:URI="init.mp4",BYTERANGE="10@0"

        #EXTINF:10.4,The first
        #EXT-X-BYTERANGE:100@20
        a.ts
        # a remark
        #EXT-X-UNHEARD-OF:1
        #EXT-X-DISCONTINUITY
        #EXT-X-PROGRAM-DATE-TIME:2026-11-20T18:00:00Z
        #EXTINF:9,
        https://films.example/b.ts?x=1,2
        #EXT-X-ENDLIST
        """

    private static let master = """
        #EXTM3U
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English, loud",DEFAULT=YES,URI="a.m3u8"
        #EXT-X-STREAM-INF:BANDWIDTH=1000,CODECS="x,y",RESOLUTION=640x360,FRAME-RATE=25.0,AUDIO="a"
        low.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=2000,AUDIO="a"

        high.m3u8
        #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=10,URI="i.m3u8"
        """

    private func read(_ text: String) throws -> HLSPlaylist { try HLSPlaylist(reading: Array(text.utf8)) }

    @Test("Both kinds are parsed, with either line ending")
    func ours() throws {
        #expect(try read(Self.media).kind == .media && read(Self.media).parts == 2)
        #expect(try read(Self.master).kind == .master && read(Self.master).parts == 2)
        #expect(try read(Self.media.replacing("\n", with: "\r\n")).parts == 2)
        #expect(try read(Self.master + "\n").parts == 2)
        #expect(try read("# made by hand\n\n" + Self.master.replacing("640x360", with: "\"640x360\"")).parts == 2)
        #expect(try read("#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:1,\na.ts\n#EXTINF:1,\n").parts == 2)
    }

    @Test("Half a second over the target is within it when rounded down, and too long from there on")
    func target() throws {
        let list = "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:%,\na.ts\n"
        #expect(try read(list.replacing("%", with: "10.499")).parts == 1)
        #expect(throws: HLSProblem.self) { _ = try read(list.replacing("%", with: "10.5")) }
    }

    @Test(
        "A38: an invalid playlist is rejected with line and reason",
        arguments: [
            ("", 1, "The first line must be #EXTM3U."),
            ("<html>", 1, "The first line must be #EXTM3U."),
            ("\u{FEFF}#EXTM3U\n", 1, "The first line must be #EXTM3U."),
            ("# a remark\n\n", 1, "The first line must be #EXTM3U."),
            ("# a remark\na.ts\n#EXTM3U", 2, "The first line must be #EXTM3U."),
            ("#EXTM3U\n#EXTM3U", 2, "#EXTM3U is only allowed in the first line."),
            ("#EXTM3U\n#EXTINF:1,\na.ts\n#EXTINF:1,\n#EXT-X-ENDLIST", 4, "#EXTINF must be followed by a URL."),
            ("#EXTM3U", 1, "The playlist has neither variants nor segments."),
            ("#EXTM3U\n#EXT-X-TARGETDURATION:9\n", 3, "The playlist has no segment (#EXTINF)."),
            ("#EXTM3U\n#EXTINF:9,\na.ts", 3, "#EXT-X-TARGETDURATION is missing."),
            ("#EXTM3U\na.ts", 2, "A URL must follow #EXTINF or #EXT-X-STREAM-INF."),
            ("#EXTM3U\n#EXTINF:9,\n", 2, "#EXTINF must be followed by a URL."),
            ("#EXTM3U\n#EXTINF:9,\n#EXTINF:9,\na.ts", 2, "#EXTINF must be followed by a URL."),
            ("#EXTM3U\n#EXTINF:nine,\na.ts", 2, "#EXTINF requires the duration of the segment in seconds."),
            ("#EXTM3U\n#EXTINF:-1,\na.ts", 2, "#EXTINF requires the duration of the segment in seconds."),
            ("#EXTM3U\n#EXT-X-STREAM-INF:RESOLUTION=1x1\na", 2, "#EXT-X-STREAM-INF requires BANDWIDTH."),
            ("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=fast\na", 2, "#EXT-X-STREAM-INF: BANDWIDTH must be a whole number."),
            ("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,BANDWIDTH=2\na", 2, "#EXT-X-STREAM-INF has BANDWIDTH twice."),
            (
                "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"x\na", 2,
                "#EXT-X-STREAM-INF: the quotation mark of CODECS is not closed."
            ),
            (
                "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO=\"a\"\na", 2,
                "The group AUDIO a has no #EXT-X-MEDIA."
            ),
            (
                "#EXTM3U\n#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI=\"i\"", 2,
                "The playlist has no variant (#EXT-X-STREAM-INF)."
            ),
            (
                "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\na\n#EXT-X-TARGETDURATION:9", 4,
                "#EXT-X-TARGETDURATION is not allowed in a master playlist."
            ),
            ("#EXTM3U\n#EXT-X-KEY:METHOD=AES-128", 2, "#EXT-X-KEY requires URI."),
            ("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-TARGETDURATION:1", 3, "#EXT-X-TARGETDURATION appears twice."),
            ("#EXTM3U\n#EXT-X-PLAYLIST-TYPE:LIVE", 2, "#EXT-X-PLAYLIST-TYPE must be VOD or EVENT."),
            ("#EXTM3U\n#EXTINF:1,\u{1}\na", 2, "The line contains invisible characters."),
        ])
    func refused(text: String, line: Int, sentence: String) {
        #expect(throws: HLSProblem(line: line, sentence: sentence)) { _ = try read(text) }
    }

    @Test("Invalid UTF-8 and oversized playlists are rejected")
    func bytes() {
        #expect(throws: HLSProblem.self) { _ = try HLSPlaylist(reading: Array("#EXTM3U\n".utf8) + [0xFF, 0xFE]) }
        let long = Array("#EXTM3U\n".utf8) + [UInt8](repeating: 0x23, count: HLSPlaylist.maxBytes)
        #expect(throws: HLSProblem.self) { _ = try HLSPlaylist(reading: long) }
    }
}
