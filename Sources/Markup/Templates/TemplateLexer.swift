// Splits the source of a template into literal text and tags.

enum TemplateTag: Equatable {
    case value(TemplatePath)
    case url(String, [TemplatePath])
    case open(TemplateBlock)
    case otherwise
    case close(String)
    case partial(String, TemplatePath?)
    case call(String, [TemplateArgument])
    case layout(String)
    case comment
}

enum TemplateBlock: Equatable {
    case when(TemplatePath)
    case unless(TemplatePath)
    case each(TemplatePath)
    case block(String)
    case fill(String)

    var keyword: String {
        switch self {
        case .when: "if"
        case .unless: "unless"
        case .each: "each"
        case .block: "block"
        case .fill: "fill"
        }
    }
}

enum TemplateToken {
    case text(Substring, TemplateLocation)
    case tag(TemplateTag, TemplateLocation)
}

struct TemplateLexer {
    private let file: String
    private let source: String
    private var tokens: [TemplateToken] = []
    private var problems: [TemplateProblem] = []

    static func tokens(of source: String, file: String) -> (tokens: [TemplateToken], problems: [TemplateProblem]) {
        var lexer = TemplateLexer(file: file, source: source)
        lexer.run()
        return (lexer.tokens, lexer.problems)
    }

    private init(file: String, source: String) {
        self.file = file
        self.source = source
    }

    private mutating func run() {
        var position = source.startIndex
        var textLocation = TemplateLocation.start(of: file)
        while let start = find("{{", from: position) {
            let location = textLocation.advanced(over: source[position..<start])
            let inside = source.utf8.index(start, offsetBy: 2)
            guard let end = find("}}", from: inside) else {
                problems.append(TemplateProblem(location: location, message: "this tag is never closed by }}"))
                break
            }
            let after = source.utf8.index(end, offsetBy: 2)
            let content = trimmed(source[inside..<end])
            let tag = tag(content)
            if tag == nil {
                problems.append(TemplateProblem(location: location, message: "invalid tag {{\(content)}}"))
            }
            var text = position..<start
            position = after
            if let tag, !isInline(tag), let line = lineAround(start, after) {
                // The tag is alone on its line: the whole line is removed.
                text = text.lowerBound..<max(text.lowerBound, line.lowerBound)
                position = line.upperBound
            }
            if !text.isEmpty { tokens.append(.text(source[text], textLocation)) }
            if let tag { tokens.append(.tag(tag, location)) }
            textLocation = location.advanced(over: source[start..<position])
        }
        if position < source.endIndex { tokens.append(.text(source[position...], textLocation)) }
    }

    private func find(_ mark: String, from start: String.Index) -> String.Index? {
        let utf8 = source.utf8
        var index = start
        while let found = utf8[index...].firstIndex(of: mark.utf8.first ?? 0) {
            if utf8[found...].starts(with: mark.utf8) { return found }
            index = utf8.index(after: found)
        }
        return nil
    }

    /// Whether the tag writes something where it stands, even alone on a line.
    private func isInline(_ tag: TemplateTag) -> Bool {
        switch tag {
        case .value, .url: true
        default: false
        }
    }

    /// The line including its ending, if it contains only the tag and spaces.
    private func lineAround(_ start: String.Index, _ end: String.Index) -> Range<String.Index>? {
        let utf8 = source.utf8
        var first = start
        while first > utf8.startIndex {
            let before = utf8[utf8.index(before: first)]
            if before == UInt8(ascii: "\n") { break }
            guard before == UInt8(ascii: " ") || before == UInt8(ascii: "\t") else { return nil }
            first = utf8.index(before: first)
        }
        var last = end
        while last < utf8.endIndex {
            let byte = utf8[last]
            last = utf8.index(after: last)
            if byte == UInt8(ascii: "\n") { break }
            guard byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r") else {
                return nil
            }
        }
        return first..<last
    }

    private func tag(_ content: Substring) -> TemplateTag? {
        let parts = content.dropFirst().split(whereSeparator: \.isWhitespace)
        switch content.first {
        case "!": return .comment
        case "#": return parts.count == 2 ? opening(parts[0], parts[1]) : nil
        case "/": return parts.count == 1 ? .close(String(parts[0])) : nil
        case ">":
            guard let name = parts.first, isFileName(name) else { return nil }
            if content.contains("=") { return call(String(name), content.dropFirst()) }
            switch parts.count {
            case 1: return .partial(String(name), nil)
            case 2: return TemplatePath(parts[1]).map { .partial(String(name), $0) }
            default: return nil
            }
        default:
            if content.hasPrefix("url ") {
                return url(parts: content.split(whereSeparator: \.isWhitespace).dropFirst())
            }
            return content == "else" ? .otherwise : TemplatePath(content).map { .value($0) }
        }
    }

    private func call(_ name: String, _ content: Substring) -> TemplateTag? {
        // Quoted texts contain spaces.
        let words = content.matches(of: /[^\s"]+(?:"[^"]*")?/).dropFirst()
        let arguments = words.compactMap { TemplateArgument($0.0) }
        return arguments.count == words.count ? .call(name, arguments) : nil
    }

    private func url(parts: ArraySlice<Substring>) -> TemplateTag? {
        let values = parts.dropFirst().map { TemplatePath($0) }
        guard let name = parts.first, case .name(let names) = TemplatePath(name), names.count == 1 else { return nil }
        let paths = values.compactMap(\.self)
        return paths.count == values.count ? .url(names[0], paths) : nil
    }

    private func opening(_ keyword: Substring, _ argument: Substring) -> TemplateTag? {
        switch keyword {
        case "if": return TemplatePath(argument).map { .open(.when($0)) }
        case "unless": return TemplatePath(argument).map { .open(.unless($0)) }
        case "each": return TemplatePath(argument).map { .open(.each($0)) }
        case "block", "fill":
            guard case .name(let names) = TemplatePath(argument), names.count == 1 else { return nil }
            return .open(keyword == "block" ? .block(names[0]) : .fill(names[0]))
        case "layout":
            guard argument.count > 2, argument.hasPrefix("\""), argument.hasSuffix("\"") else { return nil }
            let name = argument.dropFirst().dropLast()
            return isFileName(name) ? .layout(String(name)) : nil
        default: return nil
        }
    }

    private func isFileName(_ name: Substring) -> Bool {
        name.utf8.allSatisfy {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || "_-/.".utf8.contains($0)
        }
    }

    private func trimmed(_ text: Substring) -> Substring {
        var text = text
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
