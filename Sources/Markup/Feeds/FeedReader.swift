// Reads RSS, RDF, Atom and JSON Feed documents from bytes.

package enum FeedReader {
    /// Reads one feed document.
    ///
    /// Nothing but `bytes` is read: no DTD, no entity and no address named by the document is opened.
    /// - Parameters:
    ///   - bytes: the document as it came, in any encoding.
    ///   - contentType: the value of the Content-Type header; only its charset is used.
    ///   - url: where the document came from; relative addresses are resolved against it.
    package static func read(
        _ bytes: [UInt8], contentType: String?, url: String?
    ) throws(FeedError) -> FeedDocument {
        guard bytes.count <= FeedLimits.documentBytes else {
            throw FeedError(.tooLarge, "The document has more than 8 MiB.")
        }
        let decoded = try FeedEncoding.decode(bytes, contentType: contentType)
        guard let first = decoded.bytes.first(where: { !$0.isFeedSpace }) else {
            throw FeedError(.empty, "The document is empty.")
        }
        var document =
            first == UInt8(ascii: "{")
            ? try JSONFeedReading.read(decoded.bytes, url: url)
            : try readXML(decoded.bytes, url: url)
        guard document.entries.count <= FeedLimits.entries else {
            throw FeedError(.limit, "The feed has more than \(FeedLimits.entries) entries.")
        }
        try FeedFinishing.finish(&document.entries)
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
                .malformed, "The document is not well-formed, and no whole entry was found in it.", line: line)
        }
        document.recovered = true
        return document
    }

    /// Too many open elements may come from end tags that are missing: then the repair has the last word.
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
        default: throw FeedError(.notAFeed, "The document is XML, but its root is no feed element.")
        }
    }
}
