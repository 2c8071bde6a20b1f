// Writes the allowed part of an HTML tree, nested strictly so that every parser returns the same tree.

import FoundationEssentials

/// Blocks contain blocks, paragraphs contain only text and inline elements, lists and tables only their own children.
/// If the source differs, elements are closed, reopened or wrapped, never misnested. Thus every browser interprets the
/// output the same way, and sanitizing it again changes nothing.
struct HTMLWriter: HTMLVisitor {
    private var output: [UInt8] = []
    private var cleaned = CleanedHTML()
    private let base: URL?
    private let anchors: HTMLAnchors

    /// The open blocks of the output.
    private var blocks: [String] = []
    /// The number of them that belong to open elements of the source; the ones above are implied.
    private var floor = 0
    /// The paragraph for text at this position, if any; written when text follows.
    private var paragraph: Paragraph?
    private var paragraphIsOpen = false
    /// The language and direction of removed wrappers, for the blocks in them.
    private var direction = HTMLDirection()
    /// Ids of elements that are not written themselves; written as soon as text follows.
    private var marks: [String] = []
    private var usedIDs: Set<String> = []
    /// The open inline elements of the source; the first `written` of them are written.
    private var inlines: [Inline] = []
    private var written = 0
    private var isAtStartOfPre = false
    private var frames: [PageContext] = []

    private struct Inline: Equatable {
        let name: String
        let tag: String
        /// Whether it is written for a style.
        var isStyle = false
    }

    private struct Paragraph {
        let name: String
        var tag: String
        /// Written once, even if the paragraph is interrupted and continued.
        var id: String?
    }

    private struct PageContext {
        let isBlock: Bool
        let floor: Int
        let paragraph: Paragraph?
        let direction: HTMLDirection
        let inlines: [Inline]
    }

    /// Deeper lists, tables and quotations are removed, keeping their text.
    private static let maximumDepth = 40

    private static let onlyChild = [
        "ul": "li", "ol": "li", "dl": "dd", "table": "tbody", "thead": "tr", "tbody": "tr", "tfoot": "tr", "tr": "td",
    ]
    /// Inline elements that mean something inside another one of the same name, and how many of them.
    private static let maximumNested = ["span": 4, "bdo": 4, "bdi": 4]

    init(base: URL?, anchors: HTMLAnchors) {
        self.base = base
        self.anchors = anchors
    }

    mutating func enter(_ element: HTMLElement) -> Bool {
        let style = HTMLStyle(element.attribute("style"))
        report(element, style)
        let before = (floor: floor, paragraph: paragraph, direction: direction, inlines: inlines)
        var isBlock = true
        switch element.role {
        case .dropped: return false
        case .embed:
            writeLink(for: element)
            return false
        case .image, .lineBreak, .rule:
            writeEmpty(element)
            return false
        case .through:
            isBlock = false
            mark(element)
            direction = HTMLDirection(element, within: direction)
        case .inline(let name):
            isBlock = false
            mark(element)
            if !style.cancels(name) { enterInline(name, element) }
        case .division: enterParagraph("p", element)
        case .paragraph(let name): enterParagraph(name, element)
        case .container(let name), .structure(let name):
            endImplied()
            if depthOfFlow < Self.maximumDepth {
                makeFlow()
                enterBlock(name, element)
            } else {
                cleaned.remove("<\(element.name)>")
                enterParagraph("p", element)
            }
        case .child(let name, let parents):
            endImplied()
            if let parent = blocks.last, parents.contains(parent) {
                enterBlock(name, element)
            } else {
                cleaned.remove("<\(element.name)>")
                enterParagraph("p", element)
            }
        }
        apply(style)
        frames.append(
            PageContext(
                isBlock: isBlock, floor: before.floor, paragraph: before.paragraph, direction: before.direction,
                inlines: before.inlines))
        return true
    }

    mutating func leave() {
        guard let frame = frames.popLast() else { return }
        restoreInlines(frame.inlines)
        direction = frame.direction
        guard frame.isBlock else { return }
        floor = frame.floor
        endImplied()
        if let unwritten = paragraph?.id { marks.append(unwritten) }
        paragraph = frame.paragraph
    }

    mutating func skip(_ name: String) {
        cleaned.remove("<\(name)>")
    }

    mutating func text(_ text: String) {
        let text = HTMLCharacter.cleaned(text)
        if text.isEmpty { return }
        if text.unicodeScalars.allSatisfy(HTMLCharacter.isSpace) {
            // White space alone opens nothing, except in `pre`, where it is content.
            if isInStructure || (paragraph != nil && !paragraphIsOpen && paragraph?.name != "pre") { return }
            openParagraph()
        } else {
            openInlines()
        }
        // A parser drops one line ending after <pre>.
        if isAtStartOfPre, text.utf8.first == UInt8(ascii: "\n") { write("\n") }
        HTMLEscape.append(text, inAttribute: false, to: &output)
        isAtStartOfPre = false
    }

    mutating func finished() -> CleanedHTML {
        floor = 0
        endImplied()
        writeMarks()
        cleaned.html = String(decoding: output, as: UTF8.self)
        return cleaned
    }

    /// Names what the element loses: itself, its event handlers, its style, and attributes that mean something.
    private mutating func report(_ element: HTMLElement, _ style: HTMLStyle) {
        switch element.role {
        case .dropped where !element.isNeutral, .through where !element.isNeutral: cleaned.remove("<\(element.name)>")
        default: break
        }
        for name in element.attributeNames
        where name == "style" ? style.hasOther : name.hasPrefix("on") && name.utf8.count <= 30 {
            cleaned.remove(name)
        }
        for name in HTMLStartTag.lost(of: element) { cleaned.remove(name) }
    }

    private mutating func enterParagraph(_ name: String, _ element: HTMLElement) {
        endImplied()
        direction = HTMLDirection(element, within: direction)
        paragraph = Paragraph(name: name, tag: tag(name, element, direction) ?? "<\(name)>", id: takeID(of: element))
    }

    private mutating func enterBlock(_ name: String, _ element: HTMLElement) {
        let own = HTMLDirection(element, within: direction)
        open(name, tag: tag(name, element, own, id: takeID(of: element)) ?? "<\(name)>")
        // The block now has what its wrappers passed on.
        direction = HTMLDirection()
        floor = blocks.count
        paragraph = nil
    }

    private mutating func enterInline(_ name: String, _ element: HTMLElement) {
        let same = inlines.count { $0.name == name }
        if same >= Self.maximumNested[name] ?? 1 { return }
        // The parts of ruby need it around them, and are never inside each other.
        if name == "rt" || name == "rp" {
            guard inlines.contains(where: { $0.name == "ruby" }),
                !inlines.contains(where: { $0.name == "rt" || $0.name == "rp" })
            else { return }
        }
        guard let tag = tag(name, element, HTMLDirection(element)) else {
            if name == "a", element.attribute("href") != nil { cleaned.remove("href") }
            return
        }
        // Links are underlined anyway.
        if name == "a" { removeInlines { $0.isStyle && $0.name == "u" } }
        inlines.append(Inline(name: name, tag: tag))
    }

    /// Makes the text of the element look as its style says: opens elements, and leaves those out that it contradicts.
    private mutating func apply(_ style: HTMLStyle) {
        func isOpen(_ names: String...) -> Bool { inlines.contains { names.contains($0.name) } }
        // Headings are bold anyway.
        let isHeading = paragraph?.name.hasPrefix("h") == true || blocks.last { $0 == "td" || $0 == "th" } == "th"
        var names: [String] = []
        if style.isBold == true, !isHeading, !isOpen("b", "strong") { names.append("strong") }
        if style.isItalic == true, !isOpen("i", "em", "cite") { names.append("em") }
        if style.isUnderlined == true, !isOpen("u", "ins", "a") { names.append("u") }
        if style.isStruck == true, !isOpen("s", "del") { names.append("s") }
        if let shift = style.shift, !isOpen("sub", "sup") { names.append(shift) }
        if isHeading { removeInlines { $0.isStyle && $0.name == "strong" } }
        if style.isBold == false { removeInlines { $0.name == "b" || $0.name == "strong" } }
        if style.isItalic == false { removeInlines { $0.name == "i" || $0.name == "em" } }
        inlines += names.map { Inline(name: $0, tag: "<\($0)>", isStyle: true) }
    }

    private func tag(_ name: String, _ element: HTMLElement, _ direction: HTMLDirection, id: String? = nil) -> String? {
        HTMLStartTag.of(name, element, base: base, anchors: anchors, direction: direction, id: id)
    }

    /// The id of an element that a link of the text leads to, once.
    private mutating func takeID(of element: HTMLElement) -> String? {
        guard let id = anchors.id(of: element), usedIDs.insert(id).inserted else { return nil }
        return id
    }

    /// Keeps the id of an element that may not be written, or be written several times.
    private mutating func mark(_ element: HTMLElement) {
        if let id = takeID(of: element) { marks.append(id) }
    }

    private mutating func writeMarks() {
        for id in marks { write("<span id=\"\(HTMLEscape.attribute(id))\"></span>") }
        marks.removeAll()
    }

    private mutating func writeLink(for element: HTMLElement) {
        guard let link = EmbedLink(element, base: base), !inlines.contains(where: { $0.name == "a" }) else {
            cleaned.remove("<\(element.name)>")
            return
        }
        cleaned.link("<\(element.name)>")
        openInlines()
        write("<a href=\"\(HTMLEscape.attribute(link.url))\" rel=\"\(HTMLStartTag.relation)\">")
        HTMLEscape.append(link.label, inAttribute: false, to: &output)
        write("</a>")
    }

    private mutating func writeEmpty(_ element: HTMLElement) {
        mark(element)
        switch element.role {
        case .rule:
            endImplied()
            makeFlow()
            write("<hr>")
        case .lineBreak:
            if isInStructure || (paragraph != nil && !paragraphIsOpen) { return }
            write("<br>")
        case .image:
            guard let tag = tag("img", element, HTMLDirection(element)) else {
                if element.attribute("src") != nil { cleaned.remove("src") }
                return
            }
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
        let id = paragraph.id.map { " id=\"\(HTMLEscape.attribute($0))\"" } ?? ""
        open(paragraph.name, tag: paragraph.tag.dropLast() + id + ">")
        self.paragraph?.id = nil
        paragraphIsOpen = true
        isAtStartOfPre = paragraph.name == "pre"
    }

    private mutating func openInlines() {
        openParagraph()
        while written < inlines.count {
            write(inlines[written].tag)
            written += 1
        }
        writeMarks()
    }

    private mutating func removeInlines(where isRemoved: (Inline) -> Bool) {
        guard let first = inlines.firstIndex(where: isRemoved) else { return }
        closeInlines(downTo: first)
        inlines.removeAll(where: isRemoved)
    }

    /// Makes those open that were open before an element.
    private mutating func restoreInlines(_ before: [Inline]) {
        closeInlines(downTo: zip(inlines, before).prefix { $0 == $1 }.count)
        inlines = before
    }

    private mutating func closeInlines(downTo count: Int) {
        while written > count {
            written -= 1
            write("</\(inlines[written].name)>")
        }
    }

    private mutating func open(_ name: String, tag: String) {
        closeInlines(downTo: 0)
        write(tag)
        blocks.append(name)
    }

    /// Closes implied blocks without an open element of the source.
    private mutating func endImplied() {
        closeInlines(downTo: 0)
        while blocks.count > floor, let name = blocks.popLast() { write("</\(name)>") }
        paragraphIsOpen = false
    }

    private mutating func write(_ markup: String) {
        output.append(contentsOf: markup.utf8)
        isAtStartOfPre = false
    }
}
