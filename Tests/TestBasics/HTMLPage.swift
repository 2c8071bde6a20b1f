// Parses HTML without sanitizing, to inspect what a browser would see.

import CGumbo

/// The content of a fragment.
package final class HTMLPage {
    package private(set) var tags: Set<String> = []
    package private(set) var attributes: Set<String> = []
    package private(set) var depth = 0
    package private(set) var text = ""
    /// The values of every attribute by name.
    package private(set) var values: [String: [String]] = [:]

    package init(_ html: String) {
        var html = html
        html.withUTF8 { bytes in
            guard let start = bytes.baseAddress else { return }
            start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                guard let tree = cgumbo_parse($0, bytes.count, 1 << 30, 1 << 30) else { return }
                defer { cgumbo_free(tree) }
                if let root = cgumbo_root(tree) { visit(root, depth: 0) }
            }
        }
    }

    private func visit(_ node: UnsafePointer<GumboNode>, depth: Int) {
        self.depth = max(self.depth, depth)
        switch node.pointee.type {
        case GUMBO_NODE_ELEMENT, GUMBO_NODE_TEMPLATE:
            let element = node.pointee.v.element
            if depth > 0 { tags.insert(String(cString: gumbo_normalized_tagname(element.tag))) }
            for index in 0..<Int(element.attributes.length) {
                guard let attribute = element.attributes.data[index]?.assumingMemoryBound(to: GumboAttribute.self)
                else { continue }
                let name = String(cString: attribute.pointee.name)
                attributes.insert(name)
                values[name, default: []].append(String(cString: attribute.pointee.value))
            }
            for index in 0..<Int(element.children.length) {
                guard let child = element.children.data[index]?.assumingMemoryBound(to: GumboNode.self) else {
                    continue
                }
                visit(child, depth: depth + 1)
            }
        case GUMBO_NODE_TEXT, GUMBO_NODE_WHITESPACE, GUMBO_NODE_CDATA:
            text += String(cString: node.pointee.v.text.text)
        default: return
        }
    }
}
