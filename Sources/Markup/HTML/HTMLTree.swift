// Parses an HTML fragment and traverses its tree without recursion, calling a visitor.

import CGumbo

protocol HTMLVisitor {
    /// Returns whether to visit the children of the element; only then is `leave` called for it.
    mutating func enter(_ element: HTMLElement) -> Bool
    mutating func leave()
    mutating func text(_ text: String)
}

struct HTMLElement {
    let role: ElementPolicy
    fileprivate let attributes: GumboVector

    func attribute(_ name: String) -> String? {
        withUnsafePointer(to: attributes) { vector in
            guard let attribute = gumbo_get_attribute(vector, name), let value = attribute.pointee.value else {
                return nil
            }
            return String(cString: value)
        }
    }
}

enum HTMLTree {
    /// Ten times the memory of a text of the maximum length with reasonable nesting.
    static let maximumMemory = 128 << 20

    static func walk(_ html: String, with visitor: inout some HTMLVisitor) throws(HTMLRefusal) {
        // gumbo would replace unwanted characters with U+FFFD.
        var html = html.utf8.count > HTMLComplexity.maximumLength ? html : HTMLCharacter.cleaned(html)
        let refusal = html.withUTF8 { bytes -> HTMLRefusal? in
            if let refusal = HTMLComplexity.refusal(of: bytes) { return refusal }
            guard let start = bytes.baseAddress else { return nil }
            let tree = start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                cgumbo_parse($0, bytes.count, maximumMemory)
            }
            guard let tree else { return .tooTangled }
            defer { cgumbo_free(tree) }
            if let root = cgumbo_root(tree) { walk(root, with: &visitor) }
            return nil
        }
        if let refusal { throw refusal }
    }

    private static func walk(_ root: UnsafePointer<GumboNode>, with visitor: inout some HTMLVisitor) {
        var path: [(children: GumboVector, next: Int)] = [(root.pointee.v.element.children, 0)]
        while let (children, next) = path.last {
            guard next < Int(children.length) else {
                path.removeLast()
                if !path.isEmpty { visitor.leave() }
                continue
            }
            path[path.count - 1].next += 1
            guard let node = children.data?[next]?.assumingMemoryBound(to: GumboNode.self) else { continue }
            switch node.pointee.type {
            case GUMBO_NODE_TEXT, GUMBO_NODE_WHITESPACE:
                if let text = node.pointee.v.text.text { visitor.text(String(cString: text)) }
            case GUMBO_NODE_ELEMENT where node.pointee.v.element.tag_namespace == GUMBO_NAMESPACE_HTML:
                let element = node.pointee.v.element
                let visited = HTMLElement(role: ElementPolicy.of(element.tag), attributes: element.attributes)
                if visitor.enter(visited) { path.append((element.children, 0)) }
            default:
                // Comments, CDATA, templates, SVG and MathML.
                continue
            }
        }
    }
}
