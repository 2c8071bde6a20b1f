// A block of sanitized HTML for comparing: its start tag, and its blocks or its words with their formatting.

/// An inline element around words, such as a link. Its id is no part of it.
struct InlineFormat: Hashable {
    let name: String
    /// Written by `HTMLStartTag`; empty for one that a comparison doesn't write, such as a link within the text.
    let tag: String
    let attributes: [String: String]
}

struct InlineToken {
    enum Kind { case word, space, lineBreak, image }

    let kind: Kind
    /// The text; of an image its URL.
    let text: String
    /// The index of its inline elements, from the outermost, in the table of the comparison.
    var format: Int
    /// The image and its start tag.
    var image: (HTMLDiff.Image, tag: String)?

    /// Separates words and is never a change of its own.
    var isSpace: Bool { kind == .space || kind == .lineBreak }
}

/// The inline elements of both versions.
struct InlineFormats {
    private(set) var all: [[InlineFormat]] = [[]]
    private var indices: [[InlineFormat]: Int] = [[]: 0]

    mutating func index(of formats: [InlineFormat]) -> Int {
        if let known = indices[formats] { return known }
        all.append(formats)
        indices[formats] = all.count - 1
        return all.count - 1
    }
}

final class HTMLDiffNode {
    /// Empty for text without a paragraph around it.
    let name: String
    let tag: String
    let attributes: [String: String]
    let isLeaf: Bool
    var children: [HTMLDiffNode] = []
    var tokens: [InlineToken] = []
    /// Equal for blocks that are the same, with all formatting.
    private(set) var key = 0
    /// The number of words, images and blocks in it.
    private(set) var weight = 0

    init(_ name: String, tag: String, attributes: [String: String] = [:], isLeaf: Bool) {
        self.name = name
        self.tag = tag
        self.attributes = attributes
        self.isLeaf = isLeaf
    }

    /// Computes `key` and `weight`, once all its content is known.
    func finish() {
        if name != "pre", tokens.last?.kind == .space { tokens.removeLast() }
        var hasher = Hasher()
        hasher.combine(name)
        hasher.combine(tag)
        for token in tokens {
            hasher.combine(token.text)
            hasher.combine(token.format)
            hasher.combine(token.image?.tag)
        }
        for child in children { hasher.combine(child.key) }
        key = hasher.finalize()
        weight = 1 + tokens.count + children.reduce(0) { $0 + $1.weight }
    }

    /// Its only leaf; nil if it has none or several.
    var onlyLeaf: HTMLDiffNode? {
        var node = self
        while !node.isLeaf {
            guard node.children.count == 1 else { return nil }
            node = node.children[0]
        }
        return node
    }

    /// The hashes of its first words, sorted, with which similar blocks are found.
    private(set) lazy var words: [Int] = {
        var found: [Int] = []
        collect(&found)
        return found.sorted()
    }()

    private static let comparedWords = 300

    private func collect(_ found: inout [Int]) {
        for token in tokens where token.kind == .word && found.count < Self.comparedWords {
            found.append(token.text.hashValue)
        }
        for child in children where found.count < Self.comparedWords { child.collect(&found) }
    }
}
