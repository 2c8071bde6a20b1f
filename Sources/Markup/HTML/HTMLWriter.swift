// Writes the allowed part of an HTML tree, nested strictly so that every parser returns the same tree.

import FoundationEssentials

/// Blocks contain blocks, paragraphs contain only text and inline elements, lists and tables only their own children.
/// If
/// the source differs, elements are closed, reopened or wrapped, never misnested. Thus every browser interprets the
/// output
/// the same way, and sanitizing it again changes nothing.
struct HTMLWriter: HTMLVisitor {
    private(set) var output: [UInt8] = []
    private let base: URL?

    /// The open blocks of the output.
    private var blocks: [String] = []
    /// The number of them that belong to open elements of the source; the ones above are implied.
    private var floor = 0
    /// The paragraph for text at this position, if any; written when text follows.
    private var paragraph: String?
    private var paragraphIsOpen = false
    /// The open inline elements of the source; the first `written` of them are written.
    private var inlines: [(name: String, tag: String)] = []
    private var written = 0
    private var isAtStartOfPre = false
    private var frames: [PageContext] = []

    private struct PageContext {
        let isBlock: Bool
        let floor: Int
        let paragraph: String?
        let inlines: Int
    }

    /// Deeper lists, tables and quotations are removed, keeping their text.
    private static let maximumDepth = 40

    private static let onlyChild = [
        "ul": "li", "ol": "li", "dl": "dd", "table": "tbody", "thead": "tr", "tbody": "tr", "tr": "td",
    ]

    init(base: URL?) {
        self.base = base
    }

    mutating func enter(_ element: HTMLElement) -> Bool {
        let before = (floor: floor, paragraph: paragraph, inlines: inlines.count)
        var isBlock = true
        switch element.role {
        case .dropped: return false
        case .image, .lineBreak, .rule:
            writeEmpty(element)
            return false
        case .through: isBlock = false
        case .inline(let name):
            isBlock = false
            enterInline(name, element)
        case .division: enterParagraph("p")
        case .paragraph(let name): enterParagraph(name)
        case .container(let name), .structure(let name):
            endImplied()
            if depthOfFlow < Self.maximumDepth {
                makeFlow()
                enterBlock(name, element)
            } else {
                enterParagraph("p")
            }
        case .child(let name, let parents):
            endImplied()
            if let parent = blocks.last, parents.contains(parent) {
                enterBlock(name, element)
            } else {
                enterParagraph("p")
            }
        }
        frames.append(
            PageContext(isBlock: isBlock, floor: before.floor, paragraph: before.paragraph, inlines: before.inlines))
        return true
    }

    mutating func leave() {
        guard let frame = frames.popLast() else { return }
        while inlines.count > frame.inlines { closeLastInline() }
        guard frame.isBlock else { return }
        floor = frame.floor
        endImplied()
        paragraph = frame.paragraph
    }

    mutating func text(_ text: String) {
        let text = HTMLCharacter.cleaned(text)
        if text.isEmpty { return }
        if text.unicodeScalars.allSatisfy(HTMLCharacter.isSpace) {
            // White space alone opens nothing, except in `pre`, where it is content.
            if isInStructure || (paragraph != nil && !paragraphIsOpen && paragraph != "pre") { return }
            openParagraph()
        } else {
            openInlines()
        }
        // A parser drops one line ending after <pre>.
        if isAtStartOfPre, text.utf8.first == UInt8(ascii: "\n") { write("\n") }
        HTMLEscape.append(text, inAttribute: false, to: &output)
        isAtStartOfPre = false
    }

    mutating func finished() -> String {
        floor = 0
        endImplied()
        return String(decoding: output, as: UTF8.self)
    }

    private mutating func enterParagraph(_ name: String) {
        endImplied()
        paragraph = name
    }

    private mutating func enterBlock(_ name: String, _ element: HTMLElement) {
        open(name, tag: HTMLStartTag.of(name, element, base: base) ?? "<\(name)>")
        floor = blocks.count
        paragraph = nil
    }

    private mutating func enterInline(_ name: String, _ element: HTMLElement) {
        if inlines.contains(where: { $0.name == name }) { return }
        guard let tag = HTMLStartTag.of(name, element, base: base) else { return }
        inlines.append((name, tag))
    }

    private mutating func writeEmpty(_ element: HTMLElement) {
        switch element.role {
        case .rule:
            endImplied()
            makeFlow()
            write("<hr>")
        case .lineBreak:
            if isInStructure || (paragraph != nil && !paragraphIsOpen) { return }
            write("<br>")
        case .image:
            guard let tag = HTMLStartTag.of("img", element, base: base) else { return }
            openInlines()
            write(tag)
        default: return
        }
    }

    private var isInStructure: Bool {
        blocks.last.map { Self.onlyChild[$0] != nil } ?? false
    }

    /// The number of open blocks after `makeFlow`.
    private var depthOfFlow: Int {
        var depth = blocks.count
        var last = blocks.last
        while let name = last, let child = Self.onlyChild[name] {
            depth += 1
            last = child
        }
        return depth
    }

    /// Opens the item or cell that a list or table requires for other content.
    private mutating func makeFlow() {
        while let last = blocks.last, let child = Self.onlyChild[last] { open(child, tag: "<\(child)>") }
    }

    private mutating func openParagraph() {
        makeFlow()
        guard let paragraph, !paragraphIsOpen else { return }
        open(paragraph, tag: "<\(paragraph)>")
        paragraphIsOpen = true
        isAtStartOfPre = paragraph == "pre"
    }

    private mutating func openInlines() {
        openParagraph()
        while written < inlines.count {
            write(inlines[written].tag)
            written += 1
        }
    }

    private mutating func closeLastInline() {
        if written == inlines.count {
            write("</\(inlines[written - 1].name)>")
            written -= 1
        }
        inlines.removeLast()
    }

    private mutating func open(_ name: String, tag: String) {
        closeWrittenInlines()
        write(tag)
        blocks.append(name)
    }

    /// Closes implied blocks without an open element of the source.
    private mutating func endImplied() {
        closeWrittenInlines()
        while blocks.count > floor, let name = blocks.popLast() { write("</\(name)>") }
        paragraphIsOpen = false
    }

    private mutating func closeWrittenInlines() {
        while written > 0 {
            written -= 1
            write("</\(inlines[written].name)>")
        }
    }

    private mutating func write(_ markup: String) {
        output.append(contentsOf: markup.utf8)
        isAtStartOfPre = false
    }
}
