// Tracks the HTML context of a template, which determines the escaping of each value.

/// The escaping of a value.
enum TemplateEscape: Sendable, Hashable {
    /// Element content, where `SafeHTML` is inserted unescaped.
    case text
    /// `title` and `textarea`, where HTML would be displayed as text.
    case plain
    case attribute
    /// The start of a URL attribute; the scheme is validated.
    case url
    /// Inside a URL attribute; percent-encoded as one component.
    case urlComponent
    /// A segment of the path of a `{{url}}`; percent-encoded, and never empty, which would lead to another page.
    case pathSegment
}

struct TemplateContext: Equatable {
    private enum State: Equatable {
        case text
        /// The content of `title` or `textarea`.
        case plain
        /// The content of `script` or `style`.
        case raw
        case comment, declaration
        case markup, endTag, tagName
        case betweenAttributes
        /// After a value or a conditional attribute; a space is required before the next attribute.
        case afterAttribute
        case attributeName, beforeValue, unquoted
        case quoted(UInt8)
    }

    /// The position in the value of a URL attribute.
    private enum URLPosition: Equatable {
        case none, start, inside
        case literal(String)
    }

    private var state = State.text
    private var element = ""
    private var attribute = ""
    private var urlPosition = URLPosition.none
    /// The bytes since the last `<` that determine the next state.
    private var recent: [UInt8] = []
    /// Whether a parser drops a line ending here: after the start tag of `textarea` or `pre`.
    private var swallowsLineEnd = false

    private static let urlAttributes: Set = [
        "href", "src", "action", "formaction", "poster", "cite", "data", "ping", "background", "longdesc", "manifest",
    ]
    private static let forbiddenAttributes: Set = ["style", "srcdoc", "srcset", "imagesrcset"]
    /// Elements that run loaded content, so only literal text may determine the URL.
    private static let loadingElements: Set = ["script", "object", "embed", "base"]

    /// The literal prefixes that are allowed before a value in a URL.
    private static let urlPrefixes = ["https://", "http://", "mailto:", "/", "?", "#"]

    var isText: Bool { state == .text }
    var isTextOrPlain: Bool { state == .text || state == .plain }

    /// Whether a parser drops a line ending that comes next; resets the flag.
    mutating func takeSwallowedLineEnd() -> Bool {
        defer { swallowsLineEnd = false }
        return swallowsLineEnd
    }

    /// The escaping of a value here; throws if no value is allowed.
    mutating func readValue() throws(TemplateContextError) -> TemplateEscape {
        switch state {
        case .text: return .text
        case .plain: return .plain
        case .quoted: return try readValueInAttribute()
        default: throw TemplateContextError(message: "a value is not allowed \(locationName)")
        }
    }

    private mutating func readValueInAttribute() throws(TemplateContextError) -> TemplateEscape {
        if attribute.hasPrefix("on") || Self.forbiddenAttributes.contains(attribute) {
            throw TemplateContextError(message: "a value is not allowed in the attribute \(attribute)")
        }
        switch urlPosition {
        case .none: return .attribute
        case .start:
            if Self.loadingElements.contains(element) {
                throw TemplateContextError(message: "a value is not allowed at the start of the URL of <\(element)>")
            }
            urlPosition = .inside
            return .url
        case .literal, .inside:
            try settleURL()
            return .urlComponent
        }
    }

    /// Call at the start of `{{#if}}`, `{{#unless}}` or `{{#each}}`. A `repeated` body can also follow itself.
    mutating func openBlock(repeated: Bool) throws(TemplateContextError) {
        switch state {
        case .text, .plain, .afterAttribute: return
        case .betweenAttributes: if repeated { state = .afterAttribute }
        case .tagName:
            element = String(decoding: recent, as: UTF8.self).lowercased()
            state = .afterAttribute
        case .attributeName: state = .afterAttribute
        case .quoted:
            // The branches follow the literal start of the URL, which is therefore complete.
            if case .literal = urlPosition { try settleURL() }
        default: throw TemplateContextError(message: "a block is not allowed \(locationName)")
        }
    }

    /// Call at the end of a branch.
    mutating func closeBranch() throws(TemplateContextError) {
        if state == .attributeName { state = .afterAttribute }
        if case .literal = urlPosition, case .quoted = state { try settleURL() }
        swallowsLineEnd = false
        recent = []
    }

    /// The context after two branches, or after an optional body.
    func joined(with other: TemplateContext) throws(TemplateContextError) -> TemplateContext {
        var mine = self
        var theirs = other
        // Inside a tag, one branch may have added an attribute.
        if [mine.state, theirs.state].allSatisfy({ $0 == .betweenAttributes || $0 == .afterAttribute }) {
            mine.state = mine.state == theirs.state ? mine.state : .afterAttribute
            theirs.state = mine.state
            (mine.attribute, theirs.attribute) = ("", "")
            (mine.urlPosition, theirs.urlPosition) = (.none, .none)
        }
        if mine.state == .text { (mine.element, theirs.element, mine.attribute, theirs.attribute) = ("", "", "", "") }
        (mine.recent, theirs.recent) = ([], [])
        (mine.swallowsLineEnd, theirs.swallowsLineEnd) = (false, false)
        guard mine == theirs else {
            throw TemplateContextError(
                message:
                    "a block must end in the context where it starts: one branch ends \(locationName), the other \(other.locationName)"
            )
        }
        return mine
    }

    private mutating func settleURL() throws(TemplateContextError) {
        guard case .literal(let start) = urlPosition else { return }
        guard !start.hasPrefix("//"), Self.urlPrefixes.contains(where: { start.lowercased().hasPrefix($0) }) else {
            throw TemplateContextError(
                message: "before a value, the URL in \(attribute) must start with / ? # http:// https:// or mailto:"
            )
        }
        urlPosition = .inside
    }

    /// The position, for messages.
    private var locationName: String {
        switch state {
        case .text: "in text"
        case .plain, .raw: "in <\(element)>"
        case .comment: "in a comment"
        case .declaration: "in a declaration"
        case .markup, .tagName: "in the name of a tag"
        case .endTag: "in an end tag"
        case .betweenAttributes, .afterAttribute: "in a tag outside an attribute value"
        case .attributeName: "in the name of an attribute"
        case .beforeValue, .unquoted: "in an attribute value without quotes"
        case .quoted: "in the attribute \(attribute)" + (urlPosition == .start ? ", at its start" : "")
        }
    }

    /// Processes a byte of literal text.
    mutating func read(_ byte: UInt8) throws(TemplateContextError) {
        swallowsLineEnd = false
        switch state {
        case .text:
            if byte == UInt8(ascii: "<") { (state, recent) = (.markup, []) }
        case .markup: try readMarkup(byte)
        case .comment:
            recent.append(byte)
            if recent.suffix(3).elementsEqual("-->".utf8) { state = .text }
        case .declaration:
            if byte == UInt8(ascii: ">") { state = .text }
        case .plain, .raw: readRaw(byte)
        case .endTag:
            if byte == UInt8(ascii: ">") { state = .text }
        case .tagName:
            if isEndOfName(byte) {
                element = String(decoding: recent, as: UTF8.self).lowercased()
                state = .betweenAttributes
                try readInTag(byte)
            } else {
                recent.append(byte)
            }
        case .betweenAttributes, .afterAttribute, .attributeName, .beforeValue, .unquoted, .quoted:
            try readInTag(byte)
        }
    }

    private mutating func readMarkup(_ byte: UInt8) throws(TemplateContextError) {
        recent.append(byte)
        switch recent {
        case [UInt8(ascii: "/")], [UInt8(ascii: "!")], Array("!-".utf8): return
        case Array("!--".utf8): (state, recent) = (.comment, [])
        default:
            if recent.first == UInt8(ascii: "!") || recent.first == UInt8(ascii: "?") {
                state = byte == UInt8(ascii: ">") ? .text : .declaration
            } else if recent.first == UInt8(ascii: "/") {
                state = byte == UInt8(ascii: ">") ? .text : .endTag
            } else if isLetter(byte) {
                state = .tagName
            } else {
                state = .text
                try read(byte)
            }
        }
    }

    /// In raw text, only the end tag of the same element is markup.
    private mutating func readRaw(_ byte: UInt8) {
        if byte == UInt8(ascii: "<") {
            recent = [byte]
        } else if !recent.isEmpty {
            let end = "</\(element)"
            if recent.count == end.utf8.count {
                if isEndOfName(byte) { state = byte == UInt8(ascii: ">") ? .text : .endTag }
                recent = []
            } else {
                recent.append(byte)
                let read = String(decoding: recent, as: UTF8.self).lowercased()
                if !end.hasPrefix(read) { recent = [] }
            }
        }
    }

    private mutating func readInTag(_ byte: UInt8) throws(TemplateContextError) {
        if case .quoted(let quote) = state {
            if byte == quote {
                (state, urlPosition) = (.afterAttribute, .none)
            } else if urlPosition == .start {
                urlPosition = .literal(String(decoding: [byte], as: UTF8.self))
            } else if case .literal(let text) = urlPosition {
                urlPosition = .literal(text + String(decoding: [byte], as: UTF8.self))
            }
            return
        }
        switch (byte, state) {
        case (UInt8(ascii: ">"), _): endStartTag()
        case (UInt8(ascii: "\""), .beforeValue), (UInt8(ascii: "'"), .beforeValue):
            state = .quoted(byte)
            urlPosition = Self.urlAttributes.contains(attribute) || attribute.hasSuffix(":href") ? .start : .none
        case (_, .beforeValue): state = isSpace(byte) ? .beforeValue : .unquoted
        case (UInt8(ascii: "="), .attributeName):
            attribute = attribute.lowercased()
            state = .beforeValue
        case (UInt8(ascii: "/"), .unquoted): return
        case (UInt8(ascii: "/"), _): state = .betweenAttributes
        case (_, .unquoted): if isSpace(byte) { state = .betweenAttributes }
        case (_, _) where isSpace(byte): state = .betweenAttributes
        case (_, _) where "=\"'<".utf8.contains(byte):
            throw TemplateContextError(message: "attributes must be written as name=\"value\"")
        case (_, .attributeName): attribute.unicodeScalars.append(Unicode.Scalar(byte))
        case (_, .afterAttribute): throw TemplateContextError(message: "a space is missing before an attribute")
        default:
            attribute = String(Character(Unicode.Scalar(byte)))
            state = .attributeName
        }
    }

    private mutating func endStartTag() {
        recent = []
        attribute = ""
        switch element {
        case "script", "style", "xmp", "iframe", "noembed", "noframes", "noscript", "plaintext": state = .raw
        case "title", "textarea": state = .plain
        default: state = .text
        }
        swallowsLineEnd = element == "textarea" || element == "pre"
    }

    private func isEndOfName(_ byte: UInt8) -> Bool {
        isSpace(byte) || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ">")
    }

    private func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || (0x09...0x0D).contains(byte)
    }

    private func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}

struct TemplateContextError: Error {
    let message: String
}
