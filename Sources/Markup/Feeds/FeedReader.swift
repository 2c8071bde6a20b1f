// Parses RSS, RDF, Atom and JSON Feed documents.
import Localization

package enum FeedReader {
    /// Parses one feed document.
    ///
    /// Reads only `bytes`: never loads a DTD, an entity or a URL of the document.
    /// - Parameters:
    ///   - bytes: the document as received, in any encoding.
    ///   - contentType: the value of the Content-Type header; only its charset is used.
    ///   - url: the URL of the document; relative URLs are resolved against it.
    package static func read(
        _ bytes: [UInt8], contentType: String?, url: String?
    ) throws(FeedError) -> FeedDocument {
        guard bytes.count <= FeedLimits.documentBytes else {
            throw FeedError(.tooLarge, tr("The document is larger than 8 MiB."))
        }
        let decoded = try FeedEncoding.decode(bytes, contentType: contentType)
        guard let first = decoded.bytes.first(where: { !$0.isFeedSpace }) else {
            throw FeedError(.empty, tr("The document is empty."))
        }
        var document =
            first == UInt8(ascii: "{")
            ? try JSONFeedReading.read(decoded.bytes, url: url)
            : try readXML(decoded.bytes, url: url)
        guard document.entries.count <= FeedLimits.entries else {
            throw FeedError(.limit, tr("The feed has more than \(FeedLimits.entries) entries."))
        }
        FeedFinishing.finish(&document.entries)
        document.recovered = document.recovered || decoded.repaired
        return document
    }

    private static func readXML(_ bytes: [UInt8], url: String?) throws(FeedError) -> FeedDocument {
        let prolog = try FeedProlog.read(bytes)
        let strict = try parseStrictly(prolog.body, url: url)
        if strict.fault == nil, let root = strict.root {
            var document = try document(of: root, url: url)
            document.recovered = prolog.disturbed
            return document
        }

        let repaired = try FeedRepair.repair(prolog.body)
        try FeedGuard.check(repaired)
        let second = FeedTree.parse(repaired, url: url, recovering: true)
        let line = strict.fault?.line
        guard let root = second.root, var document = try? document(of: root, url: url), !document.entries.isEmpty else {
            throw FeedError(
                .malformed, tr("The document is not well-formed and contains no complete entry."), line: line)
        }
        document.recovered = true
        return document
    }

    /// Deep nesting may be caused by missing end tags; then the repair decides.
    private static func parseStrictly(_ bytes: [UInt8], url: String?) throws(FeedError) -> FeedTree {
        do {
            try FeedGuard.check(bytes)
        } catch {
            guard error.code == .tooDeep else { throw error }
            return FeedTree(root: nil, fault: FeedTree.Fault(line: error.line))
        }
        return FeedTree.parse(bytes, url: url, recovering: false)
    }

    private static func document(of root: FeedElement, url: String?) throws(FeedError) -> FeedDocument {
        switch root.name {
        case "rss", "channel": RSSReading.read(root, format: .rss, url: url)
        case "rdf:rdf": RSSReading.read(root, format: .rdf, url: url)
        case "atom:feed", "atom:entry": AtomReading.read(root, url: url)
        default: throw FeedError(.notAFeed, tr("The document is XML but its root is not a feed element."))
        }
    }
}
