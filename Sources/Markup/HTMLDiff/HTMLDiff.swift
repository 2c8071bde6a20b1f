// Compares two versions of rich text: its blocks and words as they are shown, with what changed marked.

/// The cost is bounded: by `maximumWords` for the words of a block, and by `maximumCost` for the whole text. What is beyond
/// them counts as replaced.
package struct HTMLDiff: Sendable {
    package struct Image: Sendable, Hashable {
        package let url: String
        package let alt: String
        package let width: Int?
        package let height: Int?
    }

    /// An image that was replaced, added or removed.
    package struct ImageChange: Sendable, Equatable {
        package let old: Image?
        package let new: Image?
    }

    package enum Kind: String, Sendable {
        /// With the blocks around it that are the same.
        case unchanged
        /// The same blocks far from any change.
        case folded
        case added, removed, changed
        /// Where a moved block was, and where it is.
        case movedAway = "moved_away"
        case moved
    }

    package struct Block: Sendable {
        package let kind: Kind
        /// With the words that were removed in `del`, and the added ones in `ins`; both contain nothing else.
        package let html: SafeHTML
        /// What it is, such as "Heading 2"; empty for several blocks.
        package let name: String
        /// The number of blocks of the text that it shows.
        package let count: Int
        /// What else changed, in words: formatting, links, structure.
        package let marks: [String]
        /// The images that changed; they are not in `html`.
        package let images: [ImageChange]
    }

    /// The words and spaces of a paragraph that are compared one by one.
    package static let maximumWords = 50_000
    /// The words times the changes among them, of all blocks.
    static let maximumCost = 60_000_000
    /// The marks of a block; further ones are counted.
    static let maximumMarks = 20

    package let blocks: [Block]

    /// Whether anything differs that readers see.
    package var hasChanges: Bool { blocks.contains { $0.kind != .unchanged && $0.kind != .folded } }

    /// Sanitizes both. Throws like `HTMLSanitizer.sanitize`.
    package init(from old: String, to new: String) throws(HTMLRefusal) {
        var reader = HTMLDiffReader(InlineFormats())
        try HTMLTree.walk(try HTMLSanitizer.sanitize(old), with: &reader)
        let before = reader.finished()
        reader = HTMLDiffReader(reader.formats)
        try HTMLTree.walk(try HTMLSanitizer.sanitize(new), with: &reader)
        let after = reader.finished()
        var comparison = BlockDiff()
        let changes = comparison.changes(from: before.children, to: after.children)
        var writer = HTMLDiffWriter(formats: reader.formats.all, comparison: comparison)
        blocks = try Self.folded(changes, &writer)
    }

    // MARK: Unchanged blocks

    /// So many unchanged blocks beside a change are shown.
    private static let context = 1
    private static let minimumFolded = 3

    private static func folded(
        _ changes: [BlockDiff.Change], _ writer: inout HTMLDiffWriter
    ) throws(HTMLRefusal) -> [Block] {
        var blocks: [Block] = []
        var index = 0
        while index < changes.count {
            guard case .same = changes[index] else {
                blocks += try writer.blocks(changes[index])
                index += 1
                continue
            }
            var same: [HTMLDiffNode] = []
            let start = index
            while index < changes.count, case .same(let node) = changes[index] {
                same.append(node)
                index += 1
            }
            let before = start == 0 ? 0 : min(context, same.count)
            let after = index == changes.count ? 0 : min(context, same.count - before)
            let middle = same.count - before - after
            if middle < minimumFolded {
                blocks.append(try writer.block(unchanged: same[...], .unchanged))
            } else {
                if before > 0 { blocks.append(try writer.block(unchanged: same[..<before], .unchanged)) }
                blocks.append(try writer.block(unchanged: same[before..<(before + middle)], .folded))
                if after > 0 { blocks.append(try writer.block(unchanged: same[(before + middle)...], .unchanged)) }
            }
        }
        return blocks
    }
}
