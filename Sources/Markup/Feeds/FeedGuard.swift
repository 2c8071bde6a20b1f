// Counts elements and attributes before libxml2 parses a document, and rejects documents that would cost too much.
import Localization

enum FeedGuard {
    /// One pass over the bytes. The counts of a malformed document may be slightly off, but no limit is missed, since
    /// the
    /// parser splits at the same positions.
    static func check(_ bytes: [UInt8]) throws(FeedError) {
        var scanner = FeedScanner(bytes)
        // The namespace declarations of each open element, and their sum.
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
        FeedError(.limit, tr("The document has too many elements, attributes or namespaces."), line: line)
    }

    static func tooDeep(line: Int?) -> FeedError {
        FeedError(.tooDeep, tr("The document nests more than \(FeedLimits.depth) elements deep."), line: line)
    }
}
