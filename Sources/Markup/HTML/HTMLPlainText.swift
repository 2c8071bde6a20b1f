// Collects the text of an HTML tree: white space collapsed, one line per block.

struct HTMLPlainText: HTMLVisitor {
    private var scalars = String.UnicodeScalarView()
    private var pending = Gap.none
    private var blocks: [Bool] = []

    private enum Gap: Int { case none, space, line }

    var text: String { String(scalars) }

    mutating func enter(_ element: HTMLElement) -> Bool {
        var isBlock = true
        switch element.role {
        case .dropped, .embed, .image: return false
        case .lineBreak, .rule:
            separate(by: .line)
            return false
        case .child(let name, _) where name == "td" || name == "th":
            isBlock = false
            separate(by: .space)
        case .through, .inline: isBlock = false
        default: separate(by: .line)
        }
        blocks.append(isBlock)
        return true
    }

    mutating func leave() {
        if blocks.popLast() == true { separate(by: .line) }
    }

    mutating func text(_ text: String) {
        for scalar in text.unicodeScalars where !HTMLCharacter.isUnwanted(scalar) {
            if HTMLCharacter.isSpace(scalar) || scalar == "\u{A0}" {
                separate(by: .space)
                continue
            }
            if !scalars.isEmpty, pending != .none { scalars.append(pending == .line ? "\n" : " ") }
            pending = .none
            scalars.append(scalar)
        }
    }

    private mutating func separate(by gap: Gap) {
        if gap.rawValue > pending.rawValue { pending = gap }
    }
}
