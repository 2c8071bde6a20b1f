// Parses XML with libxml2 into a tree of elements.

import CXML2

struct FeedTree {
    struct Fault {
        var line: Int?
    }

    var root: FeedElement?
    /// The first position at which the document is not well-formed.
    var fault: Fault?

    /// Expects UTF-8 that has passed `FeedGuard`. Loads nothing: without handlers for declarations and entities,
    /// libxml2
    /// knows only the five entities of XML, and NONET and the absence of loader flags prevent access to files.
    /// - Parameter recovering: continues after a fault; otherwise the tree ends there.
    static func parse(_ bytes: [UInt8], url: String?, recovering: Bool) -> FeedTree {
        _ = started
        let builder = FeedTreeBuilder(url: url)
        let read = bytes.withUnsafeBytes { buffer in
            guard
                let context = xmlCreateMemoryParserCtxt(
                    buffer.bindMemory(to: CChar.self).baseAddress, Int32(buffer.count))
            else { return false }
            defer { xmlFreeParserCtxt(context) }
            var options = Int32(XML_PARSE_NONET.rawValue)
            if recovering { options |= Int32(XML_PARSE_RECOVER.rawValue) }
            xmlCtxtUseOptions(context, options)
            context.pointee.sax.pointee = handlers
            context.pointee.userData = Unmanaged.passUnretained(builder).toOpaque()
            withExtendedLifetime(builder) { _ = xmlParseDocument(context) }
            return context.pointee.wellFormed == 1
        }
        if !read, builder.fault == nil { builder.fault = Fault(line: nil) }
        return FeedTree(root: builder.root, fault: builder.fault)
    }

    private static let started: Void = xmlInitParser()

    private static var handlers: xmlSAXHandler {
        var sax = xmlSAXHandler()
        sax.initialized = UInt32(XML_SAX2_MAGIC)
        sax.startElementNs = { context, local, prefix, uri, _, _, count, _, attributes in
            FeedTree.builder(context)?.start(
                local: local, prefix: prefix, uri: uri, attributes: attributes, count: Int(count))
        }
        sax.endElementNs = { context, _, _, _ in FeedTree.builder(context)?.end() }
        sax.characters = { context, text, count in FeedTree.builder(context)?.characters(text, count: Int(count)) }
        sax.ignorableWhitespace = sax.characters
        sax.cdataBlock = sax.characters
        sax.serror = { context, error in FeedTree.builder(context)?.report(error) }
        return sax
    }

    private static func builder(_ context: UnsafeMutableRawPointer?) -> FeedTreeBuilder? {
        context.map { Unmanaged<FeedTreeBuilder>.fromOpaque($0).takeUnretainedValue() }
    }
}
