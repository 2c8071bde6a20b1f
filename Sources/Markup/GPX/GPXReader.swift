// Parses GPX 1.0 and 1.1 with libxml2: only the five XML entities, no network access, within limits.
import CXML2
import Localization

package enum GPXReader {
    package static func read(_ bytes: [UInt8]) throws(GPXError) -> GPXDocument {
        if bytes.isEmpty { throw GPXError(code: .empty, message: tr("The file is empty."), line: nil) }
        if bytes.count > GPXLimits.documentBytes {
            let most = GPXLimits.documentBytes >> 20
            throw GPXError(code: .tooLarge, message: tr("The file is larger than \(most) MiB."), line: nil)
        }
        let builder = GPXBuilder()
        let isWellFormed = parse(bytes, builder)
        if let error = builder.error { throw error }
        guard isWellFormed else {
            throw GPXError(code: .malformed, message: tr("The file is not well-formed XML."), line: nil)
        }
        guard builder.isGPX else {
            throw GPXError(code: .notGPX, message: tr("The file is XML, but not GPX."), line: nil)
        }
        guard builder.document.lines.contains(where: { !$0.points.isEmpty }) else {
            let only = builder.document.waypoints > 0 ? tr(", only \(builder.document.waypoints) waypoints") : ""
            throw GPXError(code: .noLine, message: tr("The file has no track or route\(only)."), line: nil)
        }
        return builder.document
    }

    private static let started: Void = xmlInitParser()

    private static func parse(_ bytes: [UInt8], _ builder: GPXBuilder) -> Bool {
        _ = started
        return bytes.withUnsafeBytes { buffer in
            guard
                let context = xmlCreateMemoryParserCtxt(
                    buffer.bindMemory(to: CChar.self).baseAddress, Int32(buffer.count))
            else { return false }
            defer { xmlFreeParserCtxt(context) }
            xmlCtxtUseOptions(context, Int32(XML_PARSE_NONET.rawValue))
            context.pointee.sax.pointee = handlers
            context.pointee.userData = Unmanaged.passUnretained(builder).toOpaque()
            builder.stop = { xmlStopParser(context) }
            builder.line = { Int(xmlSAX2GetLineNumber(context)) }
            withExtendedLifetime(builder) { _ = xmlParseDocument(context) }
            builder.stop = {}
            builder.line = { nil }
            return context.pointee.wellFormed == 1
        }
    }

    private static var handlers: xmlSAXHandler {
        var sax = xmlSAXHandler()
        sax.initialized = UInt32(XML_SAX2_MAGIC)
        sax.internalSubset = { context, _, _, _ in GPXReader.builder(context)?.refuseDoctype() }
        sax.startElementNs = { context, local, _, _, _, _, count, _, attributes in
            GPXReader.builder(context)?.start(local, attributes, Int(count))
        }
        sax.endElementNs = { context, local, _, _ in GPXReader.builder(context)?.end() }
        sax.characters = { context, text, count in GPXReader.builder(context)?.characters(text, Int(count)) }
        sax.cdataBlock = sax.characters
        sax.serror = { context, error in GPXReader.builder(context)?.report(error) }
        return sax
    }

    private static func builder(_ context: UnsafeMutableRawPointer?) -> GPXBuilder? {
        context.map { Unmanaged<GPXBuilder>.fromOpaque($0).takeUnretainedValue() }
    }
}
