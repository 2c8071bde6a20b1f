// Parses the prolog of an XML document: declaration, DOCTYPE, comments.
import Localization

struct FeedProlog {
    /// The document with the prolog blanked out, so that line numbers are preserved.
    var body: [UInt8]
    /// Whether invalid content precedes the XML declaration or the root.
    var disturbed = false

    /// Rejects HTML pages, XML that is not a feed, and DTDs.
    static func read(_ bytes: [UInt8]) throws(FeedError) -> FeedProlog {
        var prolog = FeedProlog(body: bytes)
        var position = 0
        while position < bytes.count {
            let rest = bytes[position...]
            let end: Int
            if bytes[position].isFeedSpace {
                position += 1
                continue
            } else if rest.starts(with: Array("<!--".utf8)) {
                end = rest.dropFirst(4).feedRange(of: Array("-->".utf8))?.upperBound ?? bytes.count
            } else if rest.starts(with: Array("<?".utf8)) {
                end = rest.feedRange(of: Array("?>".utf8))?.upperBound ?? bytes.count
                if isDeclaration(rest) {
                    prolog.disturbed = prolog.disturbed || position > 0
                    prolog.blank(position..<end)
                }
            } else if rest.startsFeedName("<!doctype") {
                end = try endOfDoctype(rest, line: bytes.feedLine(at: position))
                prolog.blank(position..<end)
            } else if rest.first == UInt8(ascii: "<"), rest.dropFirst().first?.isFeedNameStart == true {
                try checkRoot(rest, line: bytes.feedLine(at: position))
                return prolog
            } else {
                end = rest.dropFirst().firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
                prolog.disturbed = true
                prolog.blank(position..<end)
            }
            position = end
        }
        throw FeedError(.notAFeed, tr("The document is neither XML nor JSON."), line: 1)
    }

    private static func isDeclaration(_ rest: ArraySlice<UInt8>) -> Bool {
        rest.startsFeedName("<?xml") && (rest.dropFirst(5).first?.isFeedSpace ?? false)
    }

    /// Ignores a DOCTYPE without declarations. Only that of RSS 0.91 is in real use; others could define entities.
    private static func endOfDoctype(_ rest: ArraySlice<UInt8>, line: Int) throws(FeedError) -> Int {
        let declaration = rest.prefix { $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "[") }
        let text = String(decoding: declaration.prefix(1_000), as: UTF8.self).lowercased()
            .split(whereSeparator: \.isWhitespace)
        if text.dropFirst().first == "html" { throw htmlPage(line: line) }
        let netscape = declaration.feedRange(of: Array("-//Netscape Communications//DTD RSS 0.9".utf8)) != nil
        let external = text.contains("public") || text.contains("system")
        guard let close = rest[declaration.endIndex...].first, close == UInt8(ascii: ">"), netscape || !external else {
            throw FeedError(
                .doctype, tr("The document contains a DTD, which is not allowed in a feed."), line: line)
        }
        return declaration.endIndex + 1
    }

    private static func checkRoot(_ rest: ArraySlice<UInt8>, line: Int) throws(FeedError) {
        let name = String(decoding: rest.dropFirst().prefix(100).prefix(while: \.isFeedNamePart), as: UTF8.self)
        let local = name.split(separator: ":").last?.lowercased() ?? ""
        if ["rss", "rdf", "feed", "entry", "channel"].contains(local) { return }
        if ["html", "head", "body"].contains(local) { throw htmlPage(line: line) }
        throw FeedError(.notAFeed, tr("The document is XML but not an RSS, RDF or Atom feed."), line: line)
    }

    private static func htmlPage(line: Int) -> FeedError {
        FeedError(.notAFeed, tr("The document is an HTML page, not a feed."), line: line)
    }

    private mutating func blank(_ range: Range<Int>) {
        for index in range where !body[index].isFeedSpace { body[index] = UInt8(ascii: " ") }
    }
}
