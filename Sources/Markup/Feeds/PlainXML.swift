// Reads a small XML document that is no feed: the answer of a web service. Nothing is repaired and nothing loaded.

/// An element with its name in lower case. Safe to pass on: it is made once and never changed.
package struct PlainXML: Sendable {
    package let name: String
    package let attributes: [String: String]
    /// The text that stands in it directly, not in inner elements; trimmed.
    package let text: String
    package let children: [PlainXML]

    /// Throws for what is not well-formed, brings declarations of its own, or nests too deeply.
    package init(_ bytes: [UInt8]) throws(FeedError) {
        // Only a document type may declare entities, and no answer of a service needs one.
        guard bytes[...].feedRange(of: Array("<!DOCTYPE".utf8)) == nil,
            bytes[...].feedRange(of: Array("<!ENTITY".utf8)) == nil
        else { throw FeedError(.doctype, "The document brings declarations; it is not read.") }
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw FeedError(.malformed, "The document is not text in UTF-8.")
        }
        try FeedGuard.check(bytes)
        let tree = FeedTree.parse(bytes, url: nil, recovering: false)
        guard tree.fault == nil, let root = tree.root else {
            throw FeedError(.malformed, "The document is not well-formed XML.", line: tree.fault?.line)
        }
        self.init(root)
    }

    private init(_ element: FeedElement) {
        name = element.local.lowercased()
        attributes = Dictionary(element.attributes.map { ($0.name, $0.value) }) { first, _ in first }
        text = FeedText.trim(
            element.children.reduce(into: "") { if case .text(let part) = $1 { $0 += part } })
        children = element.elements.map { PlainXML($0) }
    }

    package func first(_ name: String) -> PlainXML? { children.first { $0.name == name } }

    package func all(_ name: String) -> [PlainXML] { children.filter { $0.name == name } }

    /// The text of a child; nil where there is none.
    package func text(_ name: String) -> String? {
        guard let text = first(name)?.text, !text.isEmpty else { return nil }
        return text
    }
}
