// Finds the texts of a template that people read, and replaces them with translations.

/// A text of a template. Values are `{0}`, `{1}`, ...; inline elements keep their names: `Read <a>the guide</a> first.`
package struct TemplateMessage: Sendable, Hashable {
    /// The English text, as HTML without attributes.
    package let key: String
    /// The element or attribute, for keys of one word.
    package let context: String?
    /// The values of the template, in the order of their numbers.
    package let values: [String]
}

/// Every text is translatable unless an ancestor has `translate="no"`. A text is a sequence of words, values and inline
/// elements; other elements and template blocks end it.
package struct TemplateMessages {
    private var result = ""
    private var run: [TemplatePiece] = []
    /// The names of the open elements, outermost first; for one that must not be translated, with `true`.
    private var open: [(name: String, isExcluded: Bool)] = []
    private let translate: (TemplateMessage) -> String?

    /// The source with the translation of each text for which `translate` returns one.
    package static func translated(_ source: String, _ translate: @escaping (TemplateMessage) -> String?) -> String {
        var messages = TemplateMessages(translate: translate)
        for piece in TemplatePiece.pieces(of: source) { messages.read(piece) }
        messages.endRun()
        return messages.result
    }

    /// The texts in their order.
    package static func of(_ source: String) -> [TemplateMessage] {
        var found: [TemplateMessage] = []
        _ = translated(source) { message in
            found.append(message)
            return nil
        }
        return found
    }

    private init(translate: @escaping (TemplateMessage) -> String?) {
        self.translate = translate
    }

    private mutating func read(_ piece: TemplatePiece) {
        switch piece.kind {
        case .text: run.append(piece)
        // The texts of a partial's arguments cannot contain a quotation mark.
        case .value: run.append(translated(piece, Self.arguments, quote: "”"))
        case .start(let name) where Self.inline.contains(name): run.append(attributesTranslated(piece))
        case .end(let name) where Self.inline.contains(name): run.append(piece)
        case .start(let name):
            endRun()
            result += attributesTranslated(piece).source
            if !Self.void.contains(name) {
                let isExcluded = piece.source.contains(#"translate="no""#) || open.last?.isExcluded == true
                open.append((name, isExcluded))
            }
        case .end(let name):
            endRun()
            result += piece.source
            if let index = open.lastIndex(where: { $0.name == name }) { open.removeSubrange(index...) }
        case .boundary:
            endRun()
            result += piece.source
        }
    }

    private mutating func endRun() {
        result += open.last?.isExcluded == true ? source(run[...]) : translated(run[...], in: open.last?.name ?? "text")
        run = []
    }

    /// Splits a run into texts: at elements that it does not contain completely, and between elements without words
    /// around them.
    private func translated(_ pieces: ArraySlice<TemplatePiece>, in element: String) -> String {
        var parts: [(pieces: ArraySlice<TemplatePiece>, element: String?)] = []
        var start = pieces.startIndex
        var index = start
        while index < pieces.endIndex {
            switch pieces[index].kind {
            case .start(let name) where !Self.void.contains(name):
                if let end = endOfElement(at: index, in: pieces) {
                    parts.append((pieces[start..<index], nil))
                    parts.append((pieces[index...end], name))
                    (start, index) = (end + 1, end + 1)
                    continue
                }
                parts.append((pieces[start..<index], nil))
                return translatedParts(parts, in: element) + pieces[index].source
                    + translated(pieces[(index + 1)...], in: name)
            case .end:
                parts.append((pieces[start..<index], nil))
                return translatedParts(parts, in: element) + pieces[index].source
                    + translated(pieces[(index + 1)...], in: element)
            default: index += 1
            }
        }
        parts.append((pieces[start..<index], nil))
        return translatedParts(parts, in: element)
    }

    /// Balanced parts: a text if there are words outside the elements, otherwise one text per element.
    private func translatedParts(
        _ parts: [(pieces: ArraySlice<TemplatePiece>, element: String?)], in element: String
    ) -> String {
        let hasWords = parts.contains { part in part.element == nil && part.pieces.contains(where: \.hasWords) }
        if hasWords { return translatedText(parts.flatMap(\.pieces), in: element) }
        return parts.reduce(into: "") { result, part in
            guard let name = part.element, !Self.code.contains(name), let start = part.pieces.first,
                let end = part.pieces.last
            else {
                result += source(part.pieces)
                return
            }
            let inside = part.pieces.dropFirst().dropLast()
            let isExcluded = start.source.contains(#"translate="no""#)
            result += start.source
            result += isExcluded ? source(inside) : translated(inside, in: Self.neutral.contains(name) ? element : name)
            result += end.source
        }
    }

    private func translatedText(_ pieces: [TemplatePiece], in element: String) -> String {
        var key = ""
        var originals: [String: String] = [:]
        var values: [String] = []
        var names: [String] = []
        func add(_ placeholder: String, _ piece: TemplatePiece) {
            key += placeholder
            originals[placeholder] = piece.source
        }
        for piece in pieces {
            switch piece.kind {
            case .value:
                add("{\(values.count)}", piece)
                values.append(piece.source)
            case .start(let name):
                // A second element with the same name has a number: <a>, <a2>.
                let number = originals.keys.count { $0.hasPrefix("<\(name)") } + 1
                let unique = number == 1 ? name : "\(name)\(number)"
                add("<\(unique)>", piece)
                if !Self.void.contains(name) { names.append(unique) }
            case .end: add("</\(names.popLast() ?? "")>", piece)
            case .text, .boundary: key += piece.source
            }
        }
        let leading = key.prefix(while: \.isWhitespace)
        let trailing = String(key.reversed().prefix(while: \.isWhitespace).reversed())
        let text = key.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let message = TemplateMessage(key: text, context: Self.isOneWord(pieces) ? element : nil, values: values)
        guard let translation = translate(message) else { return source(pieces[...]) }
        return leading + Self.filled(translation, originals) + trailing
    }

    /// The translation with the original values and tags; text in tags that are unknown remains text.
    private static func filled(_ translation: String, _ originals: [String: String]) -> String {
        var result = ""
        var rest = translation[...]
        while let start = rest.firstIndex(where: { $0 == "<" || $0 == "{" }) {
            result += rest[..<start]
            rest = rest[start...]
            let close: Character = rest.first == "<" ? ">" : "}"
            if let end = rest.firstIndex(of: close), let original = originals[String(rest[...end])] {
                result += original
                rest = rest[rest.index(after: end)...]
            } else {
                result += rest.removeFirst() == "<" ? "&lt;" : "{"
            }
        }
        return result + rest
    }

    private func attributesTranslated(_ piece: TemplatePiece) -> TemplatePiece {
        translated(piece, Self.attributes, quote: "&quot;")
    }

    /// A tag with the translated texts of these attributes.
    private func translated(_ piece: TemplatePiece, _ names: [String], quote: String) -> TemplatePiece {
        var tag = piece.source
        for name in names {
            guard let start = tag.firstRange(of: " \(name)=\"")?.upperBound,
                let end = tag[start...].firstIndex(of: "\"")
            else { continue }
            let parts = TemplatePiece.pieces(of: String(tag[start..<end]))
            // Blocks of the template end a text.
            let texts = parts.split(omittingEmptySubsequences: false) { $0.kind == .boundary }
            let boundaries = parts.filter { $0.kind == .boundary }.map(\.source) + [""]
            let translated = zip(texts, boundaries).map { text, boundary in
                (text.contains(where: \.hasWords) ? translatedText(Array(text), in: name) : source(text)) + boundary
            }
            tag.replaceSubrange(start..<end, with: translated.joined().replacing("\"", with: quote))
        }
        return TemplatePiece(kind: piece.kind, source: tag)
    }

    private func endOfElement(at index: Int, in pieces: ArraySlice<TemplatePiece>) -> Int? {
        var depth = 0
        for position in pieces[index...].indices {
            switch pieces[position].kind {
            case .start(let name): if !Self.void.contains(name) { depth += 1 }
            case .end:
                depth -= 1
                if depth == 0 { return position }
            default: continue
            }
        }
        return nil
    }

    private func source(_ pieces: ArraySlice<TemplatePiece>) -> String {
        pieces.map(\.source).joined()
    }

    /// Whether a text has at most one word besides values and tags.
    private static func isOneWord(_ pieces: [TemplatePiece]) -> Bool {
        let words = pieces.filter { $0.kind == .text }.flatMap { $0.source.split(whereSeparator: \.isWhitespace) }
        return words.count { $0.contains(where: \.isLetter) } <= 1
    }

    private static let inline: Set = [
        "a", "abbr", "b", "bdi", "br", "cite", "code", "em", "i", "kbd", "mark", "q", "small", "span", "strong", "sub",
        "sup", "time", "wbr",
    ]
    private static let void: Set = ["br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"]
    /// Elements that say nothing about their text: the one around them is its context.
    private static let neutral: Set = ["b", "bdi", "em", "i", "small", "span", "strong"]
    private static let code: Set = ["code", "kbd"]
    private static let arguments = ["first", "hint", "label"]
    private static let attributes = [
        "alt", "aria-description", "aria-label", "data-cancel", "data-change", "data-describe", "data-empty",
        "data-end-label", "data-expired", "data-failed", "data-focus-label", "data-here", "data-in", "data-insert",
        "data-label", "data-left", "data-load", "data-many", "data-minutes", "data-more", "data-moved", "data-none",
        "data-off", "data-on", "data-one", "data-out", "data-over", "data-position", "data-remove", "data-removed",
        "data-retry", "data-saved", "data-start-label", "data-unsaved", "data-uploading", "data-waiting", "data-wrong",
        "placeholder", "title",
    ]
}
