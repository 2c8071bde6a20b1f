// A parsed text in CommonMark, and where it has HTML tags.

import CCmark

final class MarkdownDocument {
    private struct Tag {
        /// Of its first byte in the source, from 1.
        let line: Int
        let column: Int
        let text: String
    }

    private static let options = CMARK_OPT_DEFAULT | CMARK_OPT_SOURCEPOS
    /// What the parser writes for tags.
    private static let omission = "<!-- raw HTML omitted -->"

    private let source: String
    private let root: OpaquePointer?
    /// The tags in the tree, in their order.
    private var nodes: [OpaquePointer]

    init(_ source: String) {
        self.source = source
        var text = source
        let root: OpaquePointer? = text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                characters.baseAddress.flatMap { cmark_parse_document($0, characters.count, Self.options) }
            }
        }
        self.root = root
        nodes = root.map { Self.nodes(of: $0) } ?? []
    }

    deinit {
        if let root { cmark_node_free(root) }
    }

    /// Tags become comments.
    var html: String {
        root.flatMap { Self.text(cmark_render_html($0, CMARK_OPT_DEFAULT, nil)) } ?? ""
    }

    /// Removes the HTML tags and returns the source without them, otherwise as it was written; nil if it has none. Tags
    /// in code are text. Where cutting them out would join what is around them to something else, the source is written
    /// again from what was parsed.
    func removeTags() -> String? {
        if nodes.isEmpty { return nil }
        if let shorter = withTags(replacedBy: "") {
            let document = MarkdownDocument(shorter)
            if document.nodes.isEmpty, document.letters == letters { return shorter }
        }
        return rewrite()
    }

    /// What is shown, without white space.
    private var letters: [UInt8] {
        html.replacing(Self.omission, with: "").replacing("<p></p>", with: "").utf8.filter { $0 > 0x20 }
    }

    private var tags: [Tag] {
        nodes.map { node in
            Tag(
                line: Int(cmark_node_get_start_line(node)), column: Int(cmark_node_get_start_column(node)),
                text: cmark_node_get_literal(node).map { String(cString: $0) } ?? "")
        }
    }

    private static func nodes(of root: OpaquePointer) -> [OpaquePointer] {
        guard let iterator = cmark_iter_new(root) else { return [] }
        defer { cmark_iter_free(iterator) }
        var found: [OpaquePointer] = []
        while true {
            let event = cmark_iter_next(iterator)
            if event == CMARK_EVENT_DONE { return found }
            guard event == CMARK_EVENT_ENTER, let node = cmark_iter_get_node(iterator) else { continue }
            let type = cmark_node_get_type(node)
            if type == CMARK_NODE_HTML_BLOCK || type == CMARK_NODE_HTML_INLINE { found.append(node) }
        }
    }

    /// Nil if the tags are not where the parser says.
    private func withTags(replacedBy replacement: String) -> String? {
        let bytes = Array(source.utf8)
        var starts = [0]
        for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") { starts.append(index + 1) }
        var kept: [UInt8] = []
        var end = 0
        for tag in tags {
            guard (1...starts.count).contains(tag.line) else { return nil }
            let first = starts[tag.line - 1] + tag.column - 1
            guard first >= end, let next = Self.end(of: tag.text, in: bytes, from: first) else { return nil }
            kept += bytes[end..<first] + Array(replacement.utf8)
            end = next
        }
        return String(decoding: kept + bytes[end...], as: UTF8.self)
    }

    /// The end of the tag that begins at this byte. In the source, its lines may begin with marks of quotations and with the
    /// indentation of lists.
    private static func end(of text: String, in bytes: [UInt8], from first: Int) -> Int? {
        func isBlank(_ byte: UInt8?) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        let text = Array(text.utf8.drop { isBlank($0) }.reversed().drop { $0 <= 0x20 }.reversed())
        var (index, position) = (first, 0)
        var isAtStart = false
        while position < text.count {
            guard index < bytes.count else { return nil }
            if bytes[index] == text[position] {
                isAtStart = text[position] == UInt8(ascii: "\n")
                (index, position) = (index + 1, position + 1)
            } else if isAtStart, isBlank(bytes[index]) || bytes[index] == UInt8(ascii: ">") {
                index += 1
            } else if isAtStart, isBlank(text[position]) {
                position += 1
            } else {
                return nil
            }
        }
        return text.isEmpty ? nil : index
    }

    /// Takes the tags out of the tree, and writes the text from it.
    private func rewrite() -> String {
        for node in nodes {
            cmark_node_unlink(node)
            cmark_node_free(node)
        }
        nodes = []
        let written = root.flatMap { Self.text(cmark_render_commonmark($0, CMARK_OPT_DEFAULT, 0)) } ?? ""
        // Comments separate lists from what would continue them. Definitions do so, too, and are no HTML.
        return MarkdownDocument(written).withTags(replacedBy: "[//]: #") ?? written
    }

    private static func text(_ characters: UnsafeMutablePointer<CChar>?) -> String? {
        guard let characters else { return nil }
        defer { cmark_get_default_mem_allocator().pointee.free(characters) }
        return String(cString: characters)
    }
}
