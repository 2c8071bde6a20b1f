// Parses an HTML fragment and traverses its tree without recursion, calling a visitor.

import CGumbo

protocol HTMLVisitor {
    /// Returns whether to visit the children of the element; only then is `leave` called for it.
    mutating func enter(_ element: HTMLElement) -> Bool
    mutating func leave()
    mutating func text(_ text: String)
    /// An SVG or MathML element, whose children are not visited.
    mutating func skip(_ name: String)
}

extension HTMLVisitor {
    mutating func skip(_ name: String) {}
}

struct HTMLElement {
    let role: ElementPolicy
    fileprivate let element: GumboElement

    /// In lowercase; as written, up to 30 bytes, if it is not one of HTML's.
    var name: String {
        let name = String(cString: gumbo_normalized_tagname(element.tag))
        if !name.isEmpty { return name }
        var written = element.original_tag
        gumbo_tag_from_original_text(&written)
        let bytes = UnsafeRawBufferPointer(start: written.data, count: min(written.length, 30))
        return String(decoding: bytes, as: UTF8.self).lowercased()
    }

    var isNeutral: Bool { ElementPolicy.isNeutral(element.tag) || name == "picture" }

    func attribute(_ name: String) -> String? {
        Self.attribute(name, of: element)
    }

    /// The names of its attributes, in lowercase.
    var attributeNames: [String] {
        (0..<Int(element.attributes.length)).compactMap { index in
            element.attributes.data?[index].map {
                String(cString: $0.assumingMemoryBound(to: GumboAttribute.self).pointee.name)
            }
        }
    }

    /// An attribute of the first direct child of this tag that has it.
    func childAttribute(_ name: String, of tag: GumboTag) -> String? {
        for index in 0..<Int(element.children.length) {
            guard let node = element.children.data?[index]?.assumingMemoryBound(to: GumboNode.self),
                node.pointee.type == GUMBO_NODE_ELEMENT, node.pointee.v.element.tag == tag,
                let value = Self.attribute(name, of: node.pointee.v.element)
            else { continue }
            return value
        }
        return nil
    }

    private static func attribute(_ name: String, of element: GumboElement) -> String? {
        withUnsafePointer(to: element.attributes) { vector in
            guard let attribute = gumbo_get_attribute(vector, name), let value = attribute.pointee.value else {
                return nil
            }
            return String(cString: value)
        }
    }
}

enum HTMLTree {
    /// Ten times the memory of a text of the maximum length with reasonable nesting.
    static let maximumMemory = 64 << 20
    /// Text and elements; the repair of misnested tags makes more of them than there are tags.
    static let maximumNodes = 100_000

    static func walk(_ html: String, with visitor: inout some HTMLVisitor) throws(HTMLRefusal) {
        try parse(html) { root in walk(root, with: &visitor) }
    }

    /// The root is valid during `body` only; it is not called for an empty text.
    static func parse(_ html: String, _ body: (UnsafePointer<GumboNode>) -> Void) throws(HTMLRefusal) {
        // gumbo would replace unwanted characters with U+FFFD.
        var html = html.utf8.count > HTMLComplexity.maximumLength ? html : HTMLCharacter.cleaned(html)
        let refusal = html.withUTF8 { bytes -> HTMLRefusal? in
            if let refusal = HTMLComplexity.refusal(of: bytes) { return refusal }
            guard let start = bytes.baseAddress else { return nil }
            let tree = start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                cgumbo_parse($0, bytes.count, maximumMemory, maximumNodes)
            }
            guard let tree else { return .tooTangled }
            defer { cgumbo_free(tree) }
            if let root = cgumbo_root(tree) { body(root) }
            return nil
        }
        if let refusal { throw refusal }
    }

    static func walk(_ root: UnsafePointer<GumboNode>, with visitor: inout some HTMLVisitor) {
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
                let visited = HTMLElement(role: ElementPolicy.of(element.tag), element: element)
                if visitor.enter(visited) { path.append((element.children, 0)) }
            case GUMBO_NODE_ELEMENT:
                visitor.skip(String(cString: gumbo_normalized_tagname(node.pointee.v.element.tag)))
            case GUMBO_NODE_TEMPLATE: visitor.skip("template")
            default:
                // Comments and CDATA.
                continue
            }
        }
    }
}
