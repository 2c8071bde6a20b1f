// Writes sanitized HTML as CommonMark, for people who edit their text without the editor.

import CCmark

extension Markdown {
    /// CommonMark that says the same as this sanitized HTML; nil if none does, such as for tables. `b` becomes `strong`, and
    /// `i` becomes `em`.
    package static func source(of html: String) -> String? {
        var writer = MarkdownWriter()
        guard (try? HTMLTree.walk(html, with: &writer)) != nil, var source = writer.source,
            // Between two lists.
            !source.contains("<!--"), let written = try? Markdown.html(source), let shape = MarkdownShape.of(html),
            shape == MarkdownShape.of(written.html)
        else { return nil }
        while source.last == "\n" { source.removeLast() }
        return source
    }
}

/// A document that is built node by node.
private final class MarkdownTree {
    let root: OpaquePointer?

    init() {
        root = cmark_node_new(CMARK_NODE_DOCUMENT)
    }

    deinit {
        if let root { cmark_node_free(root) }
    }

    /// Nil if the parent can't contain it.
    func add(_ type: cmark_node_type, to parent: OpaquePointer) -> OpaquePointer? {
        guard let node = cmark_node_new(type) else { return nil }
        if cmark_node_append_child(parent, node) == 1 { return node }
        cmark_node_free(node)
        return nil
    }

    var source: String? {
        guard let root, let characters = cmark_render_commonmark(root, CMARK_OPT_DEFAULT, 0) else { return nil }
        defer { cmark_get_default_mem_allocator().pointee.free(characters) }
        return String(cString: characters)
    }
}

private struct MarkdownWriter: HTMLVisitor {
    private enum Kind {
        /// Contains blocks, or text as an implied paragraph.
        case blocks
        case list
        case text
        case code
    }

    /// An open element.
    private struct Open {
        /// Contains what follows.
        let node: OpaquePointer
        let kind: Kind
        /// The paragraph of text that is directly among blocks.
        var implied: OpaquePointer?
        var paragraphs = 0
        /// Whether an item of the list has several paragraphs.
        var isLoose = false
    }

    /// The attributes that CommonMark has, and `rel`, which every link gets.
    private static let attributes: [String: Set<String>] = [
        "a": ["href", "title", "rel"], "img": ["src", "alt", "title"], "ol": ["start"],
    ]

    private let tree = MarkdownTree()
    private var open: [Open] = []
    private var isPossible = true

    init() {
        if let root = tree.root { open.append(Open(node: root, kind: .blocks)) }
    }

    /// Nil if something has no form in CommonMark.
    var source: String? { isPossible ? tree.source : nil }

    mutating func enter(_ element: HTMLElement) -> Bool {
        let name = element.name
        guard isPossible, Set(element.attributeNames).isSubset(of: Self.attributes[name] ?? []) else {
            isPossible = false
            return false
        }
        switch name {
        case "p": enterBlock(CMARK_NODE_PARAGRAPH, .text)
        case "h2", "h3", "h4", "h5", "h6":
            let level = Int32(name.dropFirst()) ?? 2
            enterBlock(CMARK_NODE_HEADING, .text) { cmark_node_set_heading_level($0, level) }
        case "blockquote": enterBlock(CMARK_NODE_BLOCK_QUOTE, .blocks)
        case "ul": enterBlock(CMARK_NODE_LIST, .list) { cmark_node_set_list_type($0, CMARK_BULLET_LIST) }
        case "ol":
            let start = element.attribute("start").flatMap { Int32($0) } ?? 1
            enterBlock(CMARK_NODE_LIST, .list) { node in
                cmark_node_set_list_type(node, CMARK_ORDERED_LIST)
                cmark_node_set_list_start(node, start)
            }
        case "li": enterBlock(CMARK_NODE_ITEM, .blocks, in: .list)
        case "strong", "b": enterInline(CMARK_NODE_STRONG, .text)
        case "em", "i": enterInline(CMARK_NODE_EMPH, .text)
        case "code": enterInline(CMARK_NODE_CODE, .code)
        case "a": enterInline(CMARK_NODE_LINK, .text) { Self.link($0, element, "href") }
        default: return add(name, element)
        }
        return isPossible
    }

    /// An element without content.
    private mutating func add(_ name: String, _ element: HTMLElement) -> Bool {
        switch name {
        case "hr":
            enterBlock(CMARK_NODE_THEMATIC_BREAK, .text)
            if isPossible { open.removeLast() }
        case "br": _ = addInline(CMARK_NODE_LINEBREAK)
        case "img":
            guard let image = addInline(CMARK_NODE_IMAGE) else { return false }
            Self.link(image, element, "src")
            let text = tree.add(CMARK_NODE_TEXT, to: image)
            cmark_node_set_literal(text, element.attribute("alt") ?? "")
        default: isPossible = false
        }
        return false
    }

    private static func link(_ node: OpaquePointer, _ element: HTMLElement, _ url: String) {
        cmark_node_set_url(node, element.attribute(url) ?? "")
        cmark_node_set_title(node, element.attribute("title") ?? "")
    }

    private mutating func enterBlock(
        _ type: cmark_node_type, _ kind: Kind, in parent: Kind = .blocks, _ change: (OpaquePointer) -> Void = { _ in }
    ) {
        guard let last = open.last, last.kind == parent, let node = tree.add(type, to: last.node) else {
            isPossible = false
            return
        }
        change(node)
        open[open.count - 1].implied = nil
        if kind == .text { open[open.count - 1].paragraphs += 1 }
        open.append(Open(node: node, kind: kind))
    }

    private mutating func enterInline(
        _ type: cmark_node_type, _ kind: Kind, _ change: (OpaquePointer) -> Void = { _ in }
    ) {
        guard let node = addInline(type) else { return }
        change(node)
        open.append(Open(node: node, kind: kind))
    }

    private mutating func addInline(_ type: cmark_node_type) -> OpaquePointer? {
        let node = paragraph().flatMap { tree.add(type, to: $0) }
        if node == nil { isPossible = false }
        return node
    }

    /// What contains text at this position.
    private mutating func paragraph() -> OpaquePointer? {
        guard let last = open.last else { return nil }
        switch last.kind {
        case .text: return last.node
        case .list, .code: return nil
        case .blocks:
            if let implied = last.implied { return implied }
            let implied = tree.add(CMARK_NODE_PARAGRAPH, to: last.node)
            open[open.count - 1].implied = implied
            open[open.count - 1].paragraphs += 1
            return implied
        }
    }

    mutating func text(_ text: String) {
        guard isPossible, let last = open.last else { return }
        if last.kind == .code {
            let before = cmark_node_get_literal(last.node).map { String(cString: $0) } ?? ""
            cmark_node_set_literal(last.node, before + text)
            return
        }
        let isBlank = text.unicodeScalars.allSatisfy(HTMLCharacter.isSpace)
        if isBlank, last.kind == .list || last.kind == .blocks && last.implied == nil { return }
        guard let node = addInline(CMARK_NODE_TEXT) else { return }
        cmark_node_set_literal(node, MarkdownShape.collapsed(text))
    }

    mutating func leave() {
        guard isPossible, let left = open.popLast(), !open.isEmpty else { return }
        if left.kind == .list { cmark_node_set_list_tight(left.node, left.isLoose ? 0 : 1) }
        if open[open.count - 1].kind == .list, left.paragraphs > 1 { open[open.count - 1].isLoose = true }
    }

    mutating func skip(_ name: String) {
        isPossible = false
    }
}

/// What a text shows, one line for each block and piece of text; without what CommonMark leaves open: white space, and
/// paragraphs in the items of lists.
private struct MarkdownShape: HTMLVisitor {
    private static let inline: Set = ["a", "code", "em", "img", "strong"]
    private static let synonyms = ["b": "strong", "i": "em"]

    private var shown = ""
    private var names: [String] = []

    /// Nil if the text can't be read.
    static func of(_ html: String) -> [String]? {
        var shape = MarkdownShape()
        guard (try? HTMLTree.walk(html, with: &shape)) != nil else { return nil }
        return shape.shown.split(separator: "\n").map { line in
            line.split(separator: " ").joined(separator: " ")
        }.filter { !$0.isEmpty }
    }

    /// With single spaces for white space.
    static func collapsed(_ text: String) -> String {
        var collapsed = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let isSpace = HTMLCharacter.isSpace(scalar)
            if !isSpace || collapsed.last != " " { collapsed.append(isSpace ? " " : scalar) }
        }
        return String(collapsed)
    }

    mutating func enter(_ element: HTMLElement) -> Bool {
        let name = Self.synonyms[element.name] ?? element.name
        if Self.inline.contains(name) {
            shown += tag(name, element)
        } else {
            shown += name == "p" && names.last == "li" ? "\n" : "\n\(tag(name, element))\n"
        }
        names.append(name)
        return true
    }

    private func tag(_ name: String, _ element: HTMLElement) -> String {
        let attributes = element.attributeNames.filter { $0 != "rel" }.sorted().map { attribute in
            " \(attribute)=\(Self.collapsed(element.attribute(attribute) ?? ""))"
        }
        return "<\(name)\(attributes.joined())>"
    }

    mutating func leave() {
        guard let name = names.popLast() else { return }
        if Self.inline.contains(name) {
            shown += "</\(name)>"
        } else {
            shown += name == "p" && names.last == "li" ? "\n" : "\n</\(name)>\n"
        }
    }

    mutating func text(_ text: String) {
        shown += Self.collapsed(text)
    }
}
