// Writes compared blocks as HTML with `ins` and `del`, which the sanitizer then writes like any other.

/// Start tags come from `HTMLStartTag`, text is escaped by `HTMLEscape`, and `HTMLSanitizer` writes the result. The text's
/// own `ins` and `del` are written as underlined and struck-out text.
struct HTMLDiffWriter {
    enum Version: String { case kept = "", added = "ins", removed = "del" }

    private let formats: [[InlineFormat]]
    private var comparison: BlockDiff
    private var output: [UInt8] = []
    private var marks = HTMLDiffMarks()
    private var images: [HTMLDiff.ImageChange] = []
    private var replaced: (old: [HTMLDiff.Image], new: [HTMLDiff.Image]) = ([], [])

    init(formats: [[InlineFormat]], comparison: BlockDiff) {
        self.formats = formats
        self.comparison = comparison
    }

    mutating func block(
        unchanged nodes: ArraySlice<HTMLDiffNode>, _ kind: HTMLDiff.Kind
    ) throws(HTMLRefusal) -> HTMLDiff.Block {
        for node in nodes { write(node, .kept) }
        return try finished(kind, name: "", count: nodes.count)
    }

    /// A block with so many changes that the sanitizer refuses the marks is shown without them, in both versions.
    mutating func blocks(_ change: BlockDiff.Change) throws(HTMLRefusal) -> [HTMLDiff.Block] {
        let (kind, old, new): (HTMLDiff.Kind, HTMLDiffNode?, HTMLDiffNode?) =
            switch change {
            case .same(let node): (.unchanged, nil, node)
            case .added(let node): (.added, nil, node)
            case .removed(let node): (.removed, node, nil)
            case .movedAway(let node): (.movedAway, node, nil)
            case .moved(let node): (.moved, nil, node)
            case .changed(let old, let new): (.changed, old, new)
            }
        write(change, isNested: false)
        if let block = try? finished(kind, name: (new ?? old)?.shownName ?? "") { return [block] }
        return try whole(old, .removed) + whole(new, .added)
    }

    private mutating func whole(
        _ node: HTMLDiffNode?, _ kind: HTMLDiff.Kind
    ) throws(HTMLRefusal) -> [HTMLDiff.Block] {
        guard let node else { return [] }
        (output, marks, images, replaced) = ([], HTMLDiffMarks(), [], ([], []))
        write(node, .kept)
        marks.addTooLarge()
        return [try finished(kind, name: node.shownName)]
    }

    private mutating func finished(
        _ kind: HTMLDiff.Kind, name: String, count: Int = 1
    ) throws(HTMLRefusal) -> HTMLDiff.Block {
        let html = SafeHTML(try HTMLSanitizer.clean(String(decoding: output, as: UTF8.self)))
        let block = HTMLDiff.Block(
            kind: kind, html: html, name: name, count: count, marks: marks.texts, images: images)
        (output, marks, images) = ([], HTMLDiffMarks(), [])
        return block
    }

    // MARK: Blocks

    private mutating func write(_ change: BlockDiff.Change, isNested: Bool) {
        switch change {
        case .same(let node): write(node, .kept)
        case .added(let node), .moved(let node):
            if isNested, case .moved = change { marks.add(moved: node) } else if isNested { marks.add(added: node) }
            write(node, .added)
            closeImages()
        case .removed(let node), .movedAway(let node):
            if isNested, case .removed = change { marks.add(removed: node) }
            write(node, .removed)
            closeImages()
        case .changed(let old, let new): write(changed: old, new)
        }
    }

    private mutating func write(_ node: HTMLDiffNode, _ version: Version) {
        write(node.tag)
        if node.name == "hr" { return }
        write(runs: node.tokens, version, in: node)
        for child in node.children { write(child, version) }
        close(node)
    }

    private mutating func write(changed old: HTMLDiffNode, _ new: HTMLDiffNode) {
        marks.add(from: old, to: new)
        if old.isLeaf && new.isLeaf {
            write(new.tag)
            if new.name == "hr" { return }
            write(words: old, new)
            close(new)
        } else if old.isLeaf || new.isLeaf || old.name != new.name, let before = old.onlyLeaf, let after = new.onlyLeaf
        {
            // A paragraph in a quotation, or without it.
            write(wrapping: after, in: new) { $0.write(words: before, after) }
        } else {
            write(new.tag)
            for change in comparison.changes(from: old.children, to: new.children) { write(change, isNested: true) }
            close(new)
        }
    }

    /// The tags of a block around its only leaf.
    private mutating func write(
        wrapping leaf: HTMLDiffNode, in node: HTMLDiffNode, _ content: (inout HTMLDiffWriter) -> Void
    ) {
        write(node.tag)
        if node === leaf {
            content(&self)
        } else {
            write(wrapping: leaf, in: node.children[0], content)
        }
        close(node)
    }

    private mutating func close(_ node: HTMLDiffNode) {
        if !node.name.isEmpty { write("</\(node.name)>") }
    }

    // MARK: Words

    private mutating func write(words old: HTMLDiffNode, _ new: HTMLDiffNode) {
        let count = old.tokens.count + new.tokens.count
        var cost = 0
        var found: InlineDiff?
        if max(old.tokens.count, new.tokens.count) <= HTMLDiff.maximumWords {
            found = InlineDiff(
                from: old.tokens, to: new.tokens, patience: comparison.patience(for: count), cost: &cost)
        }
        comparison.spend(cost)
        for segment in (found ?? InlineDiff(replacing: old.tokens, with: new.tokens)).segments {
            switch segment {
            case .kept(let pairs):
                marks.add(pairs, formats)
                write(runs: pairs.map(\.new), .kept, in: new)
            case .changed(let removed, let added):
                write(runs: removed, .removed, in: new)
                write(runs: added, .added, in: new)
                closeImages()
            }
        }
    }

    /// All words in one `ins` or `del`, those with the same formatting together.
    private mutating func write(runs tokens: [InlineToken], _ version: Version, in block: HTMLDiffNode) {
        if tokens.isEmpty { return }
        var tokens = tokens
        // White space alone would be written before `ins` instead of in it.
        if version != .kept, let first = tokens.first, first.isSpace,
            let word = tokens.first(where: { !$0.isSpace })
        {
            for index in tokens.indices.prefix(while: { tokens[$0].isSpace }) { tokens[index].format = word.format }
        }
        // A parser drops one line ending after <pre>.
        if block.name == "pre", tokens.first?.text.utf8.first == UInt8(ascii: "\n"), output.last == UInt8(ascii: ">") {
            output.append(UInt8(ascii: "\n"))
        }
        if version != .kept { write("<\(version.rawValue)>") }
        defer { if version != .kept { write("</\(version.rawValue)>") } }
        var index = 0
        while index < tokens.count {
            let format = tokens[index].format
            var end = index
            while end < tokens.count, tokens[end].format == format { end += 1 }
            write(tokens[index..<end], formats[format], version)
            index = end
        }
    }

    private mutating func write(_ tokens: ArraySlice<InlineToken>, _ format: [InlineFormat], _ version: Version) {
        let written = format.filter { !$0.tag.isEmpty }
        for inline in written { write(inline.shownTag) }
        for token in tokens {
            if let (image, tag) = token.image {
                switch version {
                case .kept: write(tag)
                case .added: replaced.new.append(image)
                case .removed: replaced.old.append(image)
                }
            } else if token.kind == .lineBreak {
                write("<br>")
            } else {
                HTMLEscape.append(token.text, inAttribute: false, to: &output)
            }
        }
        for inline in written.reversed() { write("</\(inline.shownName)>") }
    }

    /// The images of one change: the first one that was removed became the first one that was added.
    private mutating func closeImages() {
        for index in 0..<max(replaced.old.count, replaced.new.count) {
            images.append(
                HTMLDiff.ImageChange(
                    old: index < replaced.old.count ? replaced.old[index] : nil,
                    new: index < replaced.new.count ? replaced.new[index] : nil))
        }
        replaced = ([], [])
    }

    private mutating func write(_ markup: String) { output.append(contentsOf: markup.utf8) }
}

extension InlineFormat {
    /// `ins` and `del` are those of the comparison only.
    var shownName: String { name == "ins" ? "u" : name == "del" ? "s" : name }

    fileprivate var shownTag: String { shownName == name ? tag : "<\(shownName)>" }
}
