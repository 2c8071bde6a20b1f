// Counts what an XML document holds before libxml2 sees it, and refuses what would cost too much.

enum FeedGuard {
    /// Costs one pass over the bytes. A document that is not well-formed may be counted a little wrong; no limit is
    /// missed by that, for the parser cuts at the same places.
    static func check(_ bytes: [UInt8]) throws(FeedError) {
        var scanner = FeedScanner(bytes)
        // Namespace declarations of each open element, and their sum.
        var open: [Int] = []
        var namespaces = 0
        var elements = 0
        while let token = scanner.next() {
            switch token {
            case .open(let tag):
                elements += 1
                guard elements <= FeedLimits.elements, tag.attributeCount <= FeedLimits.attributes,
                    namespaces + tag.namespaceCount <= FeedLimits.namespaces
                else { throw tooMuch(line: bytes.feedLine(at: tag.start)) }
                if tag.closesItself { continue }
                open.append(tag.namespaceCount)
                namespaces += tag.namespaceCount
                guard open.count <= FeedLimits.depth else { throw tooDeep(line: bytes.feedLine(at: tag.start)) }
            case .close: namespaces -= open.popLast() ?? 0
            case .text, .cdata, .other: continue
            }
        }
    }

    private static func tooMuch(line: Int) -> FeedError {
        FeedError(.limit, "The document has more elements, attributes or namespaces than a feed may have.", line: line)
    }

    static func tooDeep(line: Int?) -> FeedError {
        FeedError(.tooDeep, "The document nests more than \(FeedLimits.depth) elements in one another.", line: line)
    }
}
