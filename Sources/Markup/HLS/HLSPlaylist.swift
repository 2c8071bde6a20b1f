// Reads an HLS playlist (RFC 8216) far enough to know that a player can begin with it: what it is, and what it lists.
// Three slips that packagers make are let pass: remarks above the first line, a resolution in quotation marks, and a last
// segment whose address is yet to come.
import FoundationEssentials

package struct HLSPlaylist: Sendable, Equatable {
    package enum Kind: String, Sendable {
        /// Lists variants of a film, each a playlist of its own.
        case master
        /// Lists the segments of one variant.
        case media
    }

    /// Playlists of live streams of days are smaller.
    package static let mostBytes = 4 << 20

    package let kind: Kind
    /// Variants of a master playlist, segments of a media playlist.
    package let parts: Int

    /// Throws what is wrong first, with its line.
    package init(reading bytes: [UInt8]) throws(HLSProblem) {
        guard bytes.count <= Self.mostBytes else {
            throw HLSProblem(line: 1, sentence: "It is larger than \(Self.mostBytes >> 20) MB.")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw HLSProblem(line: 1, sentence: "It is no text (UTF-8).")
        }
        var reading = HLSReading()
        var number = 0
        // A CR and a LF together are one character, which is a newline too.
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" || $0 == "\r\n" }) {
            number += 1
            try Self.check(line, number)
            try reading.take(line, number)
        }
        (kind, parts) = try reading.finish(number)
    }

    private static func check(_ line: Substring, _ number: Int) throws(HLSProblem) {
        if line.unicodeScalars.contains(where: { $0.value < 0x20 && $0 != "\t" || (0x7F...0x9F).contains($0.value) }) {
            throw HLSProblem(line: number, sentence: "There are invisible characters in it.")
        }
    }
}

/// What was read so far.
private struct HLSReading {
    private var hasBegun = false
    private var kind: HLSPlaylist.Kind?
    private var variants = 0
    private var segments = 0
    /// A tag that needs the address on the line below.
    private var open: (tag: String, line: Int)?
    private var hasEnded = false
    private var target: UInt64?
    private var longest: (seconds: Double, line: Int) = (0, 0)
    private var once: Set<String> = []
    private var groups: Set<String> = []
    private var wanted: [(group: String, line: Int)] = []

    mutating func take(_ line: Substring, _ number: Int) throws(HLSProblem) {
        if !hasBegun, line == "#EXTM3U" {
            hasBegun = true
        } else if !hasBegun, !line.hasPrefix("#") || line.hasPrefix("#EXT"), !line.allSatisfy(\.isWhitespace) {
            throw HLSProblem(line: number, sentence: "A playlist begins with the line #EXTM3U.")
        } else if line.hasPrefix("#EXT") {
            let colon = line.firstIndex(of: ":") ?? line.endIndex
            try tag(String(line[..<colon]), line[colon...].dropFirst(), number)
        } else if !line.hasPrefix("#"), !line.allSatisfy(\.isWhitespace) {
            try address(line, number)
        }
    }

    // MARK: Lines

    private mutating func address(_ line: Substring, _ number: Int) throws(HLSProblem) {
        guard let open else {
            throw HLSProblem(
                line: number, sentence: "An address stands here without #EXTINF or #EXT-X-STREAM-INF above it.")
        }
        guard !line.contains(where: \.isWhitespace) else {
            throw HLSProblem(line: number, sentence: "The address holds spaces.")
        }
        if open.tag == "#EXTINF" { segments += 1 } else { variants += 1 }
        self.open = nil
    }

    private mutating func tag(_ tag: String, _ value: Substring, _ line: Int) throws(HLSProblem) {
        switch tag {
        case "#EXTM3U": throw HLSProblem(line: line, sentence: "#EXTM3U stands in the first line only.")
        case "#EXT-X-VERSION":
            try first(tag, line)
            _ = try integer(value, tag, line)
        case "#EXT-X-STREAM-INF", "#EXT-X-I-FRAME-STREAM-INF", "#EXT-X-MEDIA", "#EXT-X-SESSION-DATA",
            "#EXT-X-SESSION-KEY":
            try become(.master, tag, line)
            try master(tag, HLSAttributes(value, of: tag, line: line), line)
        case "#EXTINF", "#EXT-X-BYTERANGE", "#EXT-X-DISCONTINUITY", "#EXT-X-KEY", "#EXT-X-MAP",
            "#EXT-X-PROGRAM-DATE-TIME", "#EXT-X-DATERANGE", "#EXT-X-TARGETDURATION", "#EXT-X-MEDIA-SEQUENCE",
            "#EXT-X-DISCONTINUITY-SEQUENCE", "#EXT-X-ENDLIST", "#EXT-X-PLAYLIST-TYPE", "#EXT-X-I-FRAMES-ONLY":
            try become(.media, tag, line)
            try media(tag, value, line)
        // Tags that a reader does not know are passed over (4.1).
        default: break
        }
    }

    /// One playlist is either of the two (4.1).
    private mutating func become(_ kind: HLSPlaylist.Kind, _ tag: String, _ line: Int) throws(HLSProblem) {
        guard self.kind == nil || self.kind == kind else {
            throw HLSProblem(
                line: line, sentence: "\(tag) does not belong into a \(kind == .master ? "media" : "master") playlist.")
        }
        self.kind = kind
        if let open, tag == "#EXTINF" || tag == "#EXT-X-STREAM-INF" {
            throw HLSProblem(line: open.line, sentence: "\(open.tag) has no address below it.")
        }
    }

    // MARK: Master playlists

    private mutating func master(_ tag: String, _ attributes: HLSAttributes, _ line: Int) throws(HLSProblem) {
        switch tag {
        case "#EXT-X-STREAM-INF":
            try checkStream(attributes)
            for type in ["AUDIO", "VIDEO", "SUBTITLES"] {
                if let group = try attributes.quoted(type) { wanted.append(("\(type) \(group)", line)) }
            }
            open = (tag, line)
        case "#EXT-X-I-FRAME-STREAM-INF":
            // For winding fast only: a film plays without it.
            _ = try attributes.needed("URI", attributes.quoted("URI"))
        case "#EXT-X-MEDIA":
            let types = ["AUDIO", "VIDEO", "SUBTITLES", "CLOSED-CAPTIONS"]
            let type = try attributes.needed("TYPE", attributes.word("TYPE", oneOf: types))
            let group = try attributes.needed("GROUP-ID", attributes.quoted("GROUP-ID"))
            _ = try attributes.needed("NAME", attributes.quoted("NAME"))
            _ = try attributes.quoted("URI")
            for name in ["DEFAULT", "AUTOSELECT", "FORCED"] {
                _ = try attributes.word(name, oneOf: ["YES", "NO"])
            }
            if type == "CLOSED-CAPTIONS" {
                _ = try attributes.needed("INSTREAM-ID", attributes.quoted("INSTREAM-ID"))
                if attributes.has("URI") {
                    throw HLSProblem(line: line, sentence: "\(tag): closed captions have no URI.")
                }
            }
            groups.insert("\(type) \(group)")
        case "#EXT-X-SESSION-DATA": _ = try attributes.needed("DATA-ID", attributes.quoted("DATA-ID"))
        default: try checkKey(attributes)
        }
    }

    private func checkStream(_ attributes: HLSAttributes) throws(HLSProblem) {
        _ = try attributes.needed("BANDWIDTH", attributes.integer("BANDWIDTH"))
        _ = try attributes.integer("AVERAGE-BANDWIDTH")
        _ = try attributes.decimal("FRAME-RATE")
        _ = try attributes.quoted("CODECS")
        try attributes.checkResolution("RESOLUTION")
    }

    private func checkKey(_ attributes: HLSAttributes) throws(HLSProblem) {
        let methods = ["NONE", "AES-128", "SAMPLE-AES", "SAMPLE-AES-CTR"]
        let method = try attributes.needed("METHOD", attributes.word("METHOD", oneOf: methods))
        let uri = try attributes.quoted("URI")
        if method != "NONE" { _ = try attributes.needed("URI", uri) }
    }

    // MARK: Media playlists

    private mutating func media(_ tag: String, _ value: Substring, _ line: Int) throws(HLSProblem) {
        switch tag {
        case "#EXTINF":
            let written = value.prefix { $0 != "," }
            guard let seconds = HLSNumber.decimal(written) else {
                throw HLSProblem(line: line, sentence: "\(tag) needs the seconds of its segment.")
            }
            if seconds > longest.seconds { longest = (seconds, line) }
            open = (tag, line)
        case "#EXT-X-TARGETDURATION":
            try first(tag, line)
            target = try integer(value, tag, line)
        case "#EXT-X-MEDIA-SEQUENCE", "#EXT-X-DISCONTINUITY-SEQUENCE":
            try first(tag, line)
            _ = try integer(value, tag, line)
            if segments > 0 { throw HLSProblem(line: line, sentence: "\(tag) must stand above the first segment.") }
        case "#EXT-X-PLAYLIST-TYPE":
            try first(tag, line)
            guard value == "VOD" || value == "EVENT" else {
                throw HLSProblem(line: line, sentence: "\(tag) is VOD or EVENT.")
            }
        case "#EXT-X-ENDLIST": hasEnded = true
        case "#EXT-X-KEY": try checkKey(HLSAttributes(value, of: tag, line: line))
        case "#EXT-X-MAP":
            let attributes = try HLSAttributes(value, of: tag, line: line)
            _ = try attributes.needed("URI", attributes.quoted("URI"))
        case "#EXT-X-BYTERANGE":
            let numbers = value.split(separator: "@", omittingEmptySubsequences: false)
            guard (1...2).contains(numbers.count), numbers.allSatisfy({ HLSNumber.integer($0) != nil }) else {
                throw HLSProblem(line: line, sentence: "\(tag) is a length, or length@offset.")
            }
        case "#EXT-X-PROGRAM-DATE-TIME":
            // A day, T, and a time: players take more forms than one.
            guard value.utf8.count >= 16, value.contains("T") else {
                throw HLSProblem(line: line, sentence: "\(tag) is a day and time such as 2026-11-20T18:00:00Z.")
            }
        case "#EXT-X-DATERANGE":
            let attributes = try HLSAttributes(value, of: tag, line: line)
            _ = try attributes.needed("ID", attributes.quoted("ID"))
        default: break
        }
    }

    // MARK: Both

    private mutating func first(_ tag: String, _ line: Int) throws(HLSProblem) {
        guard once.insert(tag).inserted else { throw HLSProblem(line: line, sentence: "\(tag) is there twice.") }
    }

    private func integer(_ value: Substring, _ tag: String, _ line: Int) throws(HLSProblem) -> UInt64 {
        guard let number = HLSNumber.integer(value) else {
            throw HLSProblem(line: line, sentence: "\(tag) needs a whole number.")
        }
        return number
    }

    /// `last` is the number of the last line.
    func finish(_ last: Int) throws(HLSProblem) -> (HLSPlaylist.Kind, Int) {
        guard hasBegun else { throw HLSProblem(line: 1, sentence: "A playlist begins with the line #EXTM3U.") }
        var segments = segments
        if let open {
            guard open.tag == "#EXTINF", segments > 0, !hasEnded else {
                throw HLSProblem(line: open.line, sentence: "\(open.tag) has no address below it.")
            }
            segments += 1
        }
        switch kind {
        case .master:
            if variants == 0 { throw HLSProblem(line: last, sentence: "It lists no variant (#EXT-X-STREAM-INF).") }
            if let missing = wanted.first(where: { !groups.contains($0.group) }) {
                throw HLSProblem(
                    line: missing.line, sentence: "It names the group \(missing.group), which no #EXT-X-MEDIA has.")
            }
            return (.master, variants)
        case .media:
            guard let target else { throw HLSProblem(line: last, sentence: "#EXT-X-TARGETDURATION is missing.") }
            if segments == 0 { throw HLSProblem(line: last, sentence: "It lists no segment (#EXTINF).") }
            // Rounded to whole seconds, no segment is longer than that (4.3.3.1).
            if longest.seconds.rounded() > Double(target) {
                throw HLSProblem(
                    line: longest.line, sentence: "The segment is longer than #EXT-X-TARGETDURATION says (\(target) s)."
                )
            }
            return (.media, segments)
        case nil: throw HLSProblem(line: last, sentence: "It lists neither variants nor segments.")
        }
    }
}
