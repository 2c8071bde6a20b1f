// Says in words what changed besides the words: formatting, links, headings, rows of tables.

import Localization

struct HTMLDiffMarks {
    private var found: [String] = []
    /// Further marks, after `HTMLDiff.maximumMarks`.
    private var further = 0
    /// Added, removed and moved blocks in a block, by their name.
    private var counts: [(kind: String, name: String, count: Int)] = []

    var texts: [String] {
        let blocks = counts.map { kind, name, count in
            switch kind {
            case "added": tr("Added: \(name) (\(count))", context: "block")
            case "removed": tr("Removed: \(name) (\(count))", context: "block")
            default: tr("Moved: \(name) (\(count))", context: "block")
            }
        }
        return found + blocks + (further > 0 ? [tr("\(further) more changes of formatting")] : [])
    }

    private mutating func add(_ text: String) {
        if found.count < HTMLDiff.maximumMarks { found.append(text) } else { further += 1 }
    }

    mutating func addTooLarge() { add(tr("Too many changes to mark each")) }

    // MARK: Blocks

    mutating func add(added node: HTMLDiffNode) { count("added", node) }
    mutating func add(removed node: HTMLDiffNode) { count("removed", node) }
    mutating func add(moved node: HTMLDiffNode) { count("moved", node) }

    private mutating func count(_ kind: String, _ node: HTMLDiffNode) {
        // Text without a paragraph, whose words are marked.
        if node.name.isEmpty { return }
        let name = node.shownName
        if let index = counts.firstIndex(where: { $0.kind == kind && $0.name == name }) {
            counts[index].count += 1
        } else {
            counts.append((kind, name, 1))
        }
    }

    /// The kind of the block, and its attributes.
    mutating func add(from old: HTMLDiffNode, to new: HTMLDiffNode) {
        if old.shownName != new.shownName {
            add(tr("\(old.shownName) → \(new.shownName)", context: "blocks"))
        }
        guard old.name == new.name else { return }
        for name in Set(old.attributes.keys).union(new.attributes.keys).sorted()
        where old.attributes[name] != new.attributes[name] {
            let (before, after) = (
                old.attributes[name] ?? tr("none", context: "comparison"),
                new.attributes[name] ?? tr("none", context: "comparison")
            )
            add(tr("\(new.shownName), \(name): \(Self.short(before)) → \(Self.short(after))", context: "blocks"))
        }
    }

    // MARK: Words

    /// The words that are the same with another formatting.
    mutating func add(_ pairs: [(old: InlineToken, new: InlineToken)], _ formats: [[InlineFormat]]) {
        var index = 0
        while index < pairs.count {
            let (old, new) = pairs[index]
            addImage(old, new)
            guard old.format != new.format else {
                index += 1
                continue
            }
            var end = index + 1
            var text = old.kind == .image ? tr("Image", context: "comparison") : old.text
            while end < pairs.count, pairs[end].old.format == old.format, pairs[end].new.format == new.format {
                if text.utf8.count < 400 {
                    text += pairs[end].old.kind == .image ? tr("Image", context: "comparison") : pairs[end].old.text
                }
                end += 1
            }
            addFormats(of: "“\(Self.short(text))”", from: formats[old.format], to: formats[new.format])
            index = end
        }
    }

    private mutating func addFormats(of words: String, from old: [InlineFormat], to new: [InlineFormat]) {
        var said = false
        for format in old {
            if let same = new.first(where: { $0.name == format.name }) {
                guard same.attributes != format.attributes else { continue }
                let (before, after) = (format.attributes["href"], same.attributes["href"])
                if before != after {
                    add(tr("Link of \(words): \(Self.short(before ?? "")) → \(Self.short(after ?? ""))"))
                } else {
                    add(tr("\(format.label) of \(words) changed"))
                }
            } else {
                add(tr("\(format.label) removed from \(words)"))
            }
            said = true
        }
        for format in new where !old.contains(where: { $0.name == format.name }) {
            if let url = format.attributes["href"] {
                add(tr("Link added to \(words): \(Self.short(url))"))
            } else {
                add(tr("\(format.label) added to \(words)"))
            }
            said = true
        }
        if !said { add(tr("Formatting of \(words) changed")) }
    }

    private mutating func addImage(_ old: InlineToken, _ new: InlineToken) {
        guard let before = old.image?.0, let after = new.image?.0, before != after else { return }
        if before.alt != after.alt {
            add(tr("Alternative text of the image: “\(Self.short(before.alt))” → “\(Self.short(after.alt))”"))
        }
        if (before.width, before.height) != (after.width, after.height) {
            add(tr("Size of the image: \(Self.size(before)) → \(Self.size(after))"))
        }
    }

    private static func size(_ image: HTMLDiff.Image) -> String {
        guard image.width != nil || image.height != nil else { return tr("none", context: "comparison") }
        return "\(image.width.map(String.init) ?? "?") × \(image.height.map(String.init) ?? "?")"
    }

    private static func short(_ text: String) -> String {
        text.count > 80 ? text.prefix(79) + "…" : text
    }
}

extension HTMLDiffNode {
    /// Its name for people.
    var shownName: String {
        switch name {
        case "p": tr("Paragraph", context: "comparison")
        case "h2", "h3", "h4", "h5", "h6": tr("Heading \(Int(name.dropFirst()) ?? 2)", context: "comparison")
        case "pre": tr("Preformatted text")
        case "hr": tr("Line", context: "comparison")
        case "blockquote": tr("Quotation", context: "comparison")
        case "figure": tr("Figure", context: "comparison")
        case "figcaption": tr("Caption of a figure")
        case "details": tr("Collapsible text")
        case "summary": tr("Summary of a collapsible text")
        case "ul": tr("Bulleted list")
        case "ol": tr("Numbered list")
        case "li": tr("List item")
        case "dl": tr("Description list")
        case "dt": tr("Term", context: "comparison")
        case "dd": tr("Description", context: "comparison")
        default: tableName
        }
    }

    private var tableName: String {
        switch name {
        case "table": tr("Table", context: "comparison")
        case "caption": tr("Caption of a table")
        case "thead": tr("Head of a table")
        case "tbody": tr("Body of a table")
        case "tfoot": tr("Foot of a table")
        case "tr": tr("Table row")
        case "td": tr("Table cell")
        case "th": tr("Header cell")
        default: tr("Text", context: "comparison")
        }
    }
}

extension InlineFormat {
    /// Its name for people.
    fileprivate var label: String {
        switch name {
        case "a": tr("Link", context: "comparison")
        case "b", "strong": tr("Bold", context: "comparison")
        case "i", "em": tr("Italic", context: "comparison")
        case "u": tr("Underline", context: "comparison")
        case "s": tr("Strikethrough", context: "comparison")
        case "del": tr("Mark of deleted text")
        case "ins": tr("Mark of inserted text")
        case "mark": tr("Highlight", context: "comparison")
        case "sub": tr("Subscript", context: "comparison")
        case "sup": tr("Superscript", context: "comparison")
        case "code": tr("Code", context: "comparison")
        case "abbr": tr("Abbreviation", context: "comparison")
        case "time": tr("Date or time", context: "comparison")
        case "cite": tr("Title of a work")
        case "q": tr("Quotation marks")
        case "small": tr("Small text")
        case "ruby", "rt", "rp": tr("Ruby annotation")
        default: tr("Language or direction")
        }
    }
}
