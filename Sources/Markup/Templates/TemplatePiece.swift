// Splits a template into text, values, HTML tags and what separates texts.

struct TemplatePiece: Equatable {
    enum Kind: Equatable {
        case text
        /// A value or a partial.
        case value
        case start(String)
        case end(String)
        /// A block, a comment, or an element without text for people, such as `script`.
        case boundary
    }

    let kind: Kind
    let source: String

    /// Whether this is text with a letter outside of entities.
    var hasWords: Bool {
        guard kind == .text else { return false }
        var isEntity = false
        return source.contains { character in
            if character == "&" { isEntity = true }
            if character == ";" || character == " " { isEntity = false }
            return !isEntity && character.isLetter
        }
    }

    static func pieces(of source: String) -> [TemplatePiece] {
        var pieces: [TemplatePiece] = []
        var rest = source[...]
        while !rest.isEmpty {
            let (kind, end) = next(in: rest)
            pieces.append(TemplatePiece(kind: kind, source: String(rest[..<end])))
            rest = rest[end...]
        }
        return pieces
    }

    private static func next(in rest: Substring) -> (Kind, Substring.Index) {
        if rest.hasPrefix("{{") {
            let inside = rest.dropFirst(2)
            let isBlock = inside.first.map { "#/!".contains($0) } == true || inside.hasPrefix("else}}")
            return (isBlock ? .boundary : .value, end(of: "}}", in: rest))
        }
        if rest.hasPrefix("<!--") { return (.boundary, end(of: "-->", in: rest)) }
        if rest.hasPrefix("<!") { return (.boundary, end(of: ">", in: rest)) }
        if rest.first == "<", rest.dropFirst().first.map({ $0.isLetter || $0 == "/" }) == true { return tag(in: rest) }
        let end = rest.dropFirst().indices.first { rest[$0] == "<" || rest[$0...].hasPrefix("{{") }
        return (.text, end ?? rest.endIndex)
    }

    private static func tag(in rest: Substring) -> (Kind, Substring.Index) {
        let isEnd = rest.dropFirst().first == "/"
        let name = String(rest.dropFirst(isEnd ? 2 : 1).prefix { $0.isLetter || $0.isNumber || $0 == "-" }).lowercased()
        if !isEnd, ["script", "style"].contains(name) { return (.boundary, end(of: "</\(name)>", in: rest)) }
        return (isEnd ? .end(name) : .start(name), FormToken.endOfTag(in: rest))
    }

    private static func end(of mark: String, in rest: Substring) -> Substring.Index {
        rest.firstRange(of: mark)?.upperBound ?? rest.endIndex
    }
}
