// Parses an HLS playlist (RFC 8216) to verify that a player can start it: its kind and the number of its entries.
// Tolerates three common packager errors: comments before the first line, a quoted resolution, and a last segment
// without
// a URL.
import FoundationEssentials
import Localization

package struct HLSPlaylist: Sendable, Equatable {
    package enum Kind: String, Sendable {
        /// Lists variants of a stream, each with its own playlist.
        case master
        /// Lists the segments of one variant.
        case media
    }

    /// Larger than playlists of live streams of several days.
    package static let maxBytes = 4 << 20

    package let kind: Kind
    /// The number of variants of a master playlist or segments of a media playlist.
    package let parts: Int

    /// Throws the first problem with its line.
    package init(reading bytes: [UInt8]) throws(HLSProblem) {
        guard bytes.count <= Self.maxBytes else {
            throw HLSProblem(line: 1, sentence: tr("The playlist is larger than \(Self.maxBytes >> 20) MB."))
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw HLSProblem(line: 1, sentence: tr("The playlist is not valid UTF-8."))
        }
        var reading = HLSReading()
        var number = 0
        // CR LF is a single Character, which is also a newline.
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" || $0 == "\r\n" }) {
            number += 1
            try Self.check(line, number)
            try reading.take(line, number)
        }
        (kind, parts) = try reading.finish(number)
    }

    private static func check(_ line: Substring, _ number: Int) throws(HLSProblem) {
        if line.unicodeScalars.contains(where: { $0.value < 0x20 && $0 != "\t" || (0x7F...0x9F).contains($0.value) }) {
            throw HLSProblem(line: number, sentence: tr("The line contains invisible characters."))
        }
    }
}

/// The state of the parser.
private struct HLSReading {
    private var hasBegun = false
    private var kind: HLSPlaylist.Kind?
    private var variants = 0
    private var segments = 0
    /// A tag that requires a URL on the next line.
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
            throw HLSProblem(line: number, sentence: tr("The first line must be #EXTM3U."))
        } else if line.hasPrefix("#EXT") {
            let colon = line.firstIndex(of: ":") ?? line.endIndex
            try tag(String(line[..<colon]), line[colon...].dropFirst(), number)
        } else if !line.hasPrefix("#"), !line.allSatisfy(\.isWhitespace) {
            try url(line, number)
        }
    }

    // MARK: Lines

    private mutating func url(_ line: Substring, _ number: Int) throws(HLSProblem) {
        guard let open else {
            throw HLSProblem(
                line: number, sentence: tr("A URL must follow #EXTINF or #EXT-X-STREAM-INF."))
        }
        guard !line.contains(where: \.isWhitespace) else {
            throw HLSProblem(line: number, sentence: tr("The URL contains spaces."))
        }
        if open.tag == "#EXTINF" { segments += 1 } else { variants += 1 }
        self.open = nil
    }

    private mutating func tag(_ tag: String, _ value: Substring, _ line: Int) throws(HLSProblem) {
        switch tag {
        case "#EXTM3U": throw HLSProblem(line: line, sentence: tr("#EXTM3U is only allowed in the first line."))
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
        // Ignores unknown tags (4.1).
        default: break
        }
    }

    /// A playlist is either a master or a media playlist (4.1).
    private mutating func become(_ kind: HLSPlaylist.Kind, _ tag: String, _ line: Int) throws(HLSProblem) {
        guard self.kind == nil || self.kind == kind else {
            throw HLSProblem(
                line: line, sentence: tr("\(tag) is not allowed in a \(kind == .master ? "media" : "master") playlist.")
            )
        }
        self.kind = kind
        if let open, tag == "#EXTINF" || tag == "#EXT-X-STREAM-INF" {
            throw HLSProblem(line: open.line, sentence: tr("\(open.tag) must be followed by a URL."))
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
            // Only for fast-forward and rewind; playback works without it.
            _ = try attributes.required("URI", attributes.quoted("URI"))
        case "#EXT-X-MEDIA":
            let types = ["AUDIO", "VIDEO", "SUBTITLES", "CLOSED-CAPTIONS"]
            let type = try attributes.required("TYPE", attributes.choice("TYPE", oneOf: types))
            let group = try attributes.required("GROUP-ID", attributes.quoted("GROUP-ID"))
            _ = try attributes.required("NAME", attributes.quoted("NAME"))
            _ = try attributes.quoted("URI")
            for name in ["DEFAULT", "AUTOSELECT", "FORCED"] {
                _ = try attributes.choice(name, oneOf: ["YES", "NO"])
            }
            if type == "CLOSED-CAPTIONS" {
                _ = try attributes.required("INSTREAM-ID", attributes.quoted("INSTREAM-ID"))
                if attributes.has("URI") {
                    throw HLSProblem(line: line, sentence: tr("\(tag): closed captions must not have a URI."))
                }
            }
            groups.insert("\(type) \(group)")
        case "#EXT-X-SESSION-DATA": _ = try attributes.required("DATA-ID", attributes.quoted("DATA-ID"))
        default: try checkKey(attributes)
        }
    }

    private func checkStream(_ attributes: HLSAttributes) throws(HLSProblem) {
        _ = try attributes.required("BANDWIDTH", attributes.integer("BANDWIDTH"))
        _ = try attributes.integer("AVERAGE-BANDWIDTH")
        _ = try attributes.decimal("FRAME-RATE")
        _ = try attributes.quoted("CODECS")
        try attributes.checkResolution("RESOLUTION")
    }

    private func checkKey(_ attributes: HLSAttributes) throws(HLSProblem) {
        let methods = ["NONE", "AES-128", "SAMPLE-AES", "SAMPLE-AES-CTR"]
        let method = try attributes.required("METHOD", attributes.choice("METHOD", oneOf: methods))
        let uri = try attributes.quoted("URI")
        if method != "NONE" { _ = try attributes.required("URI", uri) }
    }

    // MARK: Media playlists

    private mutating func media(_ tag: String, _ value: Substring, _ line: Int) throws(HLSProblem) {
        switch tag {
        case "#EXTINF":
            let written = value.prefix { $0 != "," }
            guard let seconds = HLSNumber.decimal(written) else {
                throw HLSProblem(line: line, sentence: tr("\(tag) requires the duration of the segment in seconds."))
            }
            if seconds > longest.seconds { longest = (seconds, line) }
            open = (tag, line)
        case "#EXT-X-TARGETDURATION":
            try first(tag, line)
            target = try integer(value, tag, line)
        case "#EXT-X-MEDIA-SEQUENCE", "#EXT-X-DISCONTINUITY-SEQUENCE":
            try first(tag, line)
            _ = try integer(value, tag, line)
            if segments > 0 { throw HLSProblem(line: line, sentence: tr("\(tag) must come before the first segment.")) }
        case "#EXT-X-PLAYLIST-TYPE":
            try first(tag, line)
            guard value == "VOD" || value == "EVENT" else {
                throw HLSProblem(line: line, sentence: tr("\(tag) must be VOD or EVENT."))
            }
        case "#EXT-X-ENDLIST": hasEnded = true
        case "#EXT-X-KEY": try checkKey(HLSAttributes(value, of: tag, line: line))
        case "#EXT-X-MAP":
            let attributes = try HLSAttributes(value, of: tag, line: line)
            _ = try attributes.required("URI", attributes.quoted("URI"))
        case "#EXT-X-BYTERANGE":
            let numbers = value.split(separator: "@", omittingEmptySubsequences: false)
            guard (1...2).contains(numbers.count), numbers.allSatisfy({ HLSNumber.integer($0) != nil }) else {
                throw HLSProblem(line: line, sentence: tr("\(tag) must be a length, or length@offset."))
            }
        case "#EXT-X-PROGRAM-DATE-TIME":
            // A date, T and a time; players accept several formats.
            guard value.utf8.count >= 16, value.contains("T") else {
                throw HLSProblem(
                    line: line, sentence: tr("\(tag) must be a date and time such as 2026-11-20T18:00:00Z."))
            }
        case "#EXT-X-DATERANGE":
            let attributes = try HLSAttributes(value, of: tag, line: line)
            _ = try attributes.required("ID", attributes.quoted("ID"))
        default: break
        }
    }

    // MARK: Both

    private mutating func first(_ tag: String, _ line: Int) throws(HLSProblem) {
        guard once.insert(tag).inserted else { throw HLSProblem(line: line, sentence: tr("\(tag) appears twice.")) }
    }

    private func integer(_ value: Substring, _ tag: String, _ line: Int) throws(HLSProblem) -> UInt64 {
        guard let number = HLSNumber.integer(value) else {
            throw HLSProblem(line: line, sentence: tr("\(tag) requires a whole number."))
        }
        return number
    }

    /// `last` is the number of the last line.
    func finish(_ last: Int) throws(HLSProblem) -> (HLSPlaylist.Kind, Int) {
        guard hasBegun else { throw HLSProblem(line: 1, sentence: tr("The first line must be #EXTM3U.")) }
        var segments = segments
        if let open {
            guard open.tag == "#EXTINF", segments > 0, !hasEnded else {
                throw HLSProblem(line: open.line, sentence: tr("\(open.tag) must be followed by a URL."))
            }
            segments += 1
        }
        switch kind {
        case .master:
            if variants == 0 {
                throw HLSProblem(line: last, sentence: tr("The playlist has no variant (#EXT-X-STREAM-INF)."))
            }
            if let missing = wanted.first(where: { !groups.contains($0.group) }) {
                throw HLSProblem(
                    line: missing.line, sentence: tr("The group \(missing.group) has no #EXT-X-MEDIA."))
            }
            return (.master, variants)
        case .media:
            guard let target else { throw HLSProblem(line: last, sentence: tr("#EXT-X-TARGETDURATION is missing.")) }
            if segments == 0 { throw HLSProblem(line: last, sentence: tr("The playlist has no segment (#EXTINF).")) }
            // Rounded to whole seconds, no segment may be longer (4.3.3.1).
            if longest.seconds.rounded() > Double(target) {
                throw HLSProblem(
                    line: longest.line, sentence: tr("The segment is longer than #EXT-X-TARGETDURATION (\(target) s).")
                )
            }
            return (.media, segments)
        case nil: throw HLSProblem(line: last, sentence: tr("The playlist has neither variants nor segments."))
        }
    }
}
