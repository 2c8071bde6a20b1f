// Reads sanitized HTML into blocks and words for a comparison.

import Diff

struct HTMLDiffReader: HTMLVisitor {
    private enum Level { case block, inline, other }

    private(set) var formats: InlineFormats
    private var open = [HTMLDiffNode("", tag: "", isLeaf: false)]
    /// The text without a paragraph in the innermost open block.
    private var loose: HTMLDiffNode?
    private var levels: [Level] = []
    private var inlines: [InlineFormat] = []
    private var format = 0

    init(_ formats: InlineFormats) {
        self.formats = formats
    }

    /// The blocks of the text.
    mutating func finished() -> HTMLDiffNode {
        closeLoose()
        open[0].finish()
        return open[0]
    }

    mutating func enter(_ element: HTMLElement) -> Bool {
        switch element.role {
        case .dropped, .embed: return false
        case .through, .division: levels.append(.other)
        case .inline(let name):
            inlines.append(
                InlineFormat(
                    name: name, tag: Self.tag(name, element) ?? "", attributes: Self.attributes(name, element)))
            format = formats.index(of: inlines)
            levels.append(.inline)
        case .paragraph(let name): enterBlock(name, element, isLeaf: true)
        case .container(let name), .structure(let name), .child(let name, _):
            enterBlock(name, element, isLeaf: false)
        case .rule:
            enterBlock("hr", element, isLeaf: true)
            leave()
            return false
        case .lineBreak:
            add(InlineToken(kind: .lineBreak, text: "\n", format: format))
            return false
        case .image:
            guard let tag = Self.tag("img", element) else { return false }
            let image = HTMLDiff.Image(
                url: element.attribute("src") ?? "", alt: element.attribute("alt") ?? "",
                width: element.attribute("width").flatMap(Int.init),
                height: element.attribute("height").flatMap(Int.init))
            add(InlineToken(kind: .image, text: image.url, format: format, image: (image, tag)))
            return false
        }
        return true
    }

    mutating func leave() {
        switch levels.popLast() {
        case .block:
            closeLoose()
            open.removeLast().finish()
        case .inline:
            inlines.removeLast()
            format = formats.index(of: inlines)
        case .other, nil: return
        }
    }

    mutating func text(_ text: String) {
        let isPreformatted = open[open.count - 1].name == "pre"
        for piece in TextPieces.words(of: text) {
            guard piece.unicodeScalars.allSatisfy(HTMLCharacter.isSpace) else {
                add(InlineToken(kind: .word, text: String(piece), format: format))
                continue
            }
            if isPreformatted {
                add(InlineToken(kind: .space, text: String(piece), format: format))
            } else if let last = current?.tokens.last, last.kind != .space {
                // White space between blocks is none of the text.
                add(InlineToken(kind: .space, text: " ", format: format))
            }
        }
    }

    /// The open paragraph, or text without one.
    private var current: HTMLDiffNode? {
        let last = open[open.count - 1]
        return last.isLeaf ? last : loose
    }

    private mutating func add(_ token: InlineToken) {
        if current == nil { loose = HTMLDiffNode("", tag: "", isLeaf: true) }
        current?.tokens.append(token)
    }

    private mutating func closeLoose() {
        guard let text = loose else { return }
        loose = nil
        text.finish()
        open[open.count - 1].children.append(text)
    }

    private mutating func enterBlock(_ name: String, _ element: HTMLElement, isLeaf: Bool) {
        closeLoose()
        let node = HTMLDiffNode(
            name, tag: Self.tag(name, element) ?? "<\(name)>", attributes: Self.attributes(name, element),
            isLeaf: isLeaf)
        open[open.count - 1].children.append(node)
        open.append(node)
        levels.append(.block)
    }

    /// Without its id: both versions are on one page.
    private static func tag(_ name: String, _ element: HTMLElement) -> String? {
        HTMLStartTag.of(name, element, base: nil, anchors: HTMLAnchors(), direction: HTMLDirection(element))
    }

    private static func attributes(_ name: String, _ element: HTMLElement) -> [String: String] {
        var found: [String: String] = [:]
        for attribute in (HTMLStartTag.attributeNames[name] ?? []) + ["lang", "dir"] {
            found[attribute] = element.attribute(attribute)
        }
        return found
    }
}
