// The formats in the styles of an element: bold, italic, underline, strikethrough, superscript and subscript.

struct HTMLStyle {
    /// Nil if the styles don't say.
    private(set) var isBold: Bool?
    private(set) var isItalic: Bool?
    private(set) var isUnderlined: Bool?
    private(set) var isStruck: Bool?
    /// `sub` or `sup`.
    private(set) var shift: String?
    /// Whether the styles say more than that, which is lost.
    private(set) var hasOther = false

    init(_ css: String?) {
        guard let css else { return }
        for declaration in Self.split(css.lowercased(), at: ";") {
            let parts = Self.split(declaration, at: ":")
            guard parts.count > 1 else {
                if declaration.contains(where: { !$0.isWhitespace }) { hasOther = true }
                continue
            }
            let value = parts.dropFirst().joined(separator: ":").replacing("!important", with: "")
            read(parts[0].filter { !$0.isWhitespace }, value.split(whereSeparator: \.isWhitespace))
        }
    }

    /// Whether the styles take from the element what it means, such as `<b style="font-weight: normal">`.
    func cancels(_ name: String) -> Bool {
        switch name {
        case "b", "strong": isBold == false
        case "i", "em": isItalic == false
        case "u": isUnderlined == false
        case "s": isStruck == false
        default: false
        }
    }

    private mutating func read(_ name: String, _ values: [Substring]) {
        switch name {
        case "font-weight": isBold = values.first.flatMap(Self.isBold) ?? isBold
        case "font-style": isItalic = values.first.flatMap(Self.isItalic) ?? isItalic
        case "font":
            hasOther = true
            // Without a size it is a keyword such as `inherit`.
            guard values.count > 1 else { return }
            isBold = values.dropLast().lazy.compactMap(Self.isBold).first { $0 } ?? false
            isItalic = values.dropLast().lazy.compactMap(Self.isItalic).first { $0 } ?? false
        case "text-decoration", "text-decoration-line":
            // Dotted and wavy underlines mark abbreviations and spelling.
            let isPlain = values.allSatisfy { !["dotted", "dashed", "wavy", "inherit"].contains($0) }
            isUnderlined = isPlain && values.contains("underline")
            isStruck = isPlain && values.contains("line-through")
        case "vertical-align":
            switch values.first {
            case "super": shift = "sup"
            case "sub": shift = "sub"
            case "baseline": shift = nil
            default: hasOther = true
            }
        default: hasOther = true
        }
    }

    private static func isBold(_ value: Substring) -> Bool? {
        switch value {
        case "bold", "bolder": true
        case "normal", "lighter", "initial": false
        default: Int(value).flatMap { (1...1000).contains($0) ? $0 >= 600 : nil }
        }
    }

    private static func isItalic(_ value: Substring) -> Bool? {
        switch value {
        case "italic", "oblique": true
        case "normal", "initial": false
        default: nil
        }
    }

    /// The parts between separators that are in neither quotes nor brackets.
    private static func split(_ css: String, at separator: Unicode.Scalar) -> [String] {
        var parts = [String.UnicodeScalarView()]
        var quote: Unicode.Scalar?
        var depth = 0
        for scalar in css.unicodeScalars {
            switch scalar {
            case separator where quote == nil && depth == 0:
                parts.append(String.UnicodeScalarView())
                continue
            case "\"" where quote != "'", "'" where quote != "\"": quote = quote == nil ? scalar : nil
            case "(" where quote == nil: depth += 1
            case ")" where quote == nil: depth = max(0, depth - 1)
            default: break
            }
            parts[parts.count - 1].append(scalar)
        }
        return parts.map(String.init)
    }
}
