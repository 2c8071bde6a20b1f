// Parses a small XML response of a web service, without repair and without loading anything.
import Localization

/// An element with its name in lowercase. Immutable, hence safe to share.
package struct PlainXML: Sendable {
    package let name: String
    package let attributes: [String: String]
    /// The trimmed direct text, without that of child elements.
    package let text: String
    package let children: [PlainXML]

    /// Throws if the document is not well-formed, contains declarations, or is nested too deeply.
    package init(_ bytes: [UInt8]) throws(FeedError) {
        // Only a document type can declare entities, and no response needs one.
        guard bytes[...].feedRange(of: Array("<!DOCTYPE".utf8)) == nil,
            bytes[...].feedRange(of: Array("<!ENTITY".utf8)) == nil
        else { throw FeedError(.doctype, tr("The document contains declarations, which are not allowed.")) }
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw FeedError(.malformed, tr("The document is not valid UTF-8."))
        }
        try FeedGuard.check(bytes)
        let tree = FeedTree.parse(bytes, url: nil, recovering: false)
        guard tree.fault == nil, let root = tree.root else {
            throw FeedError(.malformed, tr("The document is not well-formed XML."), line: tree.fault?.line)
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

    /// The text of a child; nil if there is none.
    package func text(_ name: String) -> String? {
        guard let text = first(name)?.text, !text.isEmpty else { return nil }
        return text
    }
}
