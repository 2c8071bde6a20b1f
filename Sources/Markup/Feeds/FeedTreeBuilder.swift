// Builds elements from the events of libxml2.

import CXML2

final class FeedTreeBuilder {
    private let url: String?
    private(set) var root: FeedElement?
    var fault: FeedTree.Fault?
    private var open: [FeedElement] = []
    /// Text since the last tag, which arrives in small pieces.
    private var text: [UInt8] = []
    /// The namespace of the root and its prefix.
    private var rootNamespace: (uri: String?, prefix: String)?
    /// A cache of names by their spelling in the document, since few names occur many times.
    private var names: [String: String] = [:]

    init(url: String?) {
        self.url = url
    }

    func start(
        local: UnsafePointer<xmlChar>?, prefix: UnsafePointer<xmlChar>?, uri: UnsafePointer<xmlChar>?,
        attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, count: Int
    ) {
        flushText()
        let local = Self.string(local) ?? ""
        let uri = Self.string(uri)
        if root == nil { setRootNamespace(local: local, uri: uri) }
        var read: [(name: String, value: String)] = []
        for index in 0..<count {
            // Five pointers each: local name, prefix, namespace, start and end of the value.
            guard let field = attributes?.advanced(by: 5 * index), let start = field[3], let end = field[4] else {
                continue
            }
            let value = UnsafeBufferPointer(start: start, count: end - start)
            let attribute = Self.string(field[0])?.lowercased() ?? ""
            let prefix =
                field[1] == nil ? "" : FeedNamespace.prefix(uri: Self.string(field[2]), prefix: Self.string(field[1]))
            // Without entity substitution, libxml2 reports each `&` of a value as `&#38;`.
            let text = FeedEntity.withoutControls(String(decoding: value, as: UTF8.self))
            read.append((prefix + attribute, text.contains("&") ? text.replacing("&#38;", with: "&") : text))
        }
        var base = open.last?.base
        if let declared = read.first(where: { $0.name == "xml:base" })?.value {
            base = FeedURL.resolve(declared, against: base ?? url) ?? base
        }
        let name = canonicalName(local: local, prefix: Self.string(prefix), uri: uri)
        let element = FeedElement(name: name, local: local, attributes: read, base: base)
        open.last?.append(.element(element))
        root = root ?? element
        open.append(element)
    }

    /// Reads documents that invent a namespace for RSS, or omit the one of Atom, according to their root element.
    private func setRootNamespace(local: String, uri: String?) {
        switch local.lowercased() {
        case "rss", "channel": rootNamespace = (uri, "")
        case "feed", "entry": rootNamespace = (uri, "atom:")
        default: rootNamespace = nil
        }
    }

    private func canonicalName(local: String, prefix: String?, uri: String?) -> String {
        let key = "\(uri ?? "") \(prefix ?? "") \(local)"
        if let name = names[key] { return name }
        var canonical = FeedNamespace.prefix(uri: uri, prefix: prefix)
        if let rootNamespace, rootNamespace.uri == uri, uri != nil || prefix == nil { canonical = rootNamespace.prefix }
        let name = canonical + local.lowercased()
        names[key] = name
        return name
    }

    func end() {
        flushText()
        open.removeLast(open.isEmpty ? 0 : 1)
    }

    func characters(_ characters: UnsafePointer<xmlChar>?, count: Int) {
        text.append(contentsOf: UnsafeBufferPointer(start: characters, count: count))
    }

    private func flushText() {
        guard !text.isEmpty else { return }
        open.last?.append(.text(FeedEntity.withoutControls(String(decoding: text, as: UTF8.self))))
        text.removeAll(keepingCapacity: true)
    }

    /// Undeclared namespaces and other minor errors do not make a document malformed.
    func report(_ error: UnsafeMutablePointer<xmlError>?) {
        guard let error = error?.pointee, error.level == XML_ERR_FATAL, fault == nil else { return }
        fault = FeedTree.Fault(line: error.line > 0 ? Int(error.line) : nil)
    }

    private static func string(_ text: UnsafePointer<xmlChar>?) -> String? {
        text.map { String(cString: $0) }
    }
}
