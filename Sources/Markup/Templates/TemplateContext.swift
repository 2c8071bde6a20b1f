// Follows the HTML of a template, to know at each tag what kind of place it stands in.

/// How a value is written at a place.
enum TemplateEscape: Sendable, Hashable {
    /// Element content, where `SafeHTML` goes in as it is.
    case text
    /// `title` and `textarea`, where HTML would show as text.
    case plain
    case attribute
    /// The start of a URL attribute: the scheme is checked.
    case address
    /// Further inside a URL attribute: percent-encoded as one component.
    case addressPart
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
        /// After a value or a conditional attribute: a space must come before the next attribute.
        case afterAttribute
        case attributeName, beforeValue, unquoted
        case quoted(UInt8)
    }

    /// Where in the value of a URL attribute we are.
    private enum AddressPosition: Equatable {
        case none, start, inside
        case literal(String)
    }

    private var state = State.text
    private var element = ""
    private var attribute = ""
    private var address = AddressPosition.none
    /// The bytes since the last `<`, as far as they decide what comes.
    private var recent: [UInt8] = []
    /// A parser drops a line end here: right after the start tag of `textarea` or `pre`.
    private var swallowsLineEnd = false

    private static let addressAttributes: Set = [
        "href", "src", "action", "formaction", "poster", "cite", "data", "ping", "background", "longdesc", "manifest",
    ]
    private static let forbiddenAttributes: Set = ["style", "srcdoc", "srcset", "imagesrcset"]
    /// What these load runs, so the template itself must say from where.
    private static let loadingElements: Set = ["script", "object", "embed", "base"]

    /// What a template's own literal text may put before a value in a URL.
    private static let addressStarts = ["https://", "http://", "mailto:", "/", "?", "#"]

    var isText: Bool { state == .text }
    var isTextOrPlain: Bool { state == .text || state == .plain }

    /// Whether a parser will drop a line end that comes next; asked once.
    mutating func takeSwallowedLineEnd() -> Bool {
        defer { swallowsLineEnd = false }
        return swallowsLineEnd
    }

    /// Says how a value is written here, or why none may stand here.
    mutating func readValue() throws(TemplateContextError) -> TemplateEscape {
        switch state {
        case .text: return .text
        case .plain: return .plain
        case .quoted: return try readValueInAttribute()
        default: throw TemplateContextError(message: "a value may not stand \(placeName)")
        }
    }

    private mutating func readValueInAttribute() throws(TemplateContextError) -> TemplateEscape {
        if attribute.hasPrefix("on") || Self.forbiddenAttributes.contains(attribute) {
            throw TemplateContextError(message: "a value may not stand in the attribute \(attribute)")
        }
        switch address {
        case .none: return .attribute
        case .start:
            if Self.loadingElements.contains(element) {
                throw TemplateContextError(message: "a value may not begin the address of <\(element)>")
            }
            address = .inside
            return .address
        case .literal, .inside:
            try settleAddress()
            return .addressPart
        }
    }

    /// Call where `{{#if}}`, `{{#unless}}` or `{{#each}}` opens. What is `repeated` follows itself, too.
    mutating func openBlock(repeated: Bool) throws(TemplateContextError) {
        switch state {
        case .text, .plain, .afterAttribute: return
        case .betweenAttributes: if repeated { state = .afterAttribute }
        case .tagName:
            element = String(decoding: recent, as: UTF8.self).lowercased()
            state = .afterAttribute
        case .attributeName: state = .afterAttribute
        case .quoted:
            // What the branches hold comes after the literal start of the address, which is thereby complete.
            if case .literal = address { try settleAddress() }
        default: throw TemplateContextError(message: "a block may not stand \(placeName)")
        }
    }

    /// Call at the end of a branch.
    mutating func closeBranch() throws(TemplateContextError) {
        if state == .attributeName { state = .afterAttribute }
        if case .literal = address, case .quoted = state { try settleAddress() }
        swallowsLineEnd = false
        recent = []
    }

    /// The place after two branches, or after a body that may be left out.
    func joined(with other: TemplateContext) throws(TemplateContextError) -> TemplateContext {
        var mine = self
        var theirs = other
        // Within a tag one branch may have added an attribute.
        if [mine.state, theirs.state].allSatisfy({ $0 == .betweenAttributes || $0 == .afterAttribute }) {
            mine.state = mine.state == theirs.state ? mine.state : .afterAttribute
            theirs.state = mine.state
            (mine.attribute, theirs.attribute) = ("", "")
            (mine.address, theirs.address) = (.none, .none)
        }
        if mine.state == .text { (mine.element, theirs.element, mine.attribute, theirs.attribute) = ("", "", "", "") }
        (mine.recent, theirs.recent) = ([], [])
        (mine.swallowsLineEnd, theirs.swallowsLineEnd) = (false, false)
        guard mine == theirs else {
            throw TemplateContextError(
                message: "a block must end where it began: one way ends \(placeName), the other \(other.placeName)")
        }
        return mine
    }

    private mutating func settleAddress() throws(TemplateContextError) {
        guard case .literal(let start) = address else { return }
        guard !start.hasPrefix("//"), Self.addressStarts.contains(where: { start.lowercased().hasPrefix($0) }) else {
            throw TemplateContextError(
                message: "before a value, the address in \(attribute) must begin with / ? # http:// https:// or mailto:"
            )
        }
        address = .inside
    }

    /// For messages: where we are.
    private var placeName: String {
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
        case .quoted: "in the attribute \(attribute)" + (address == .start ? ", at its start" : "")
        }
    }

    /// Reads a byte of literal text.
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

    /// In raw text only the end tag of the same element means anything.
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
                (state, address) = (.afterAttribute, .none)
            } else if address == .start {
                address = .literal(String(decoding: [byte], as: UTF8.self))
            } else if case .literal(let text) = address {
                address = .literal(text + String(decoding: [byte], as: UTF8.self))
            }
            return
        }
        switch (byte, state) {
        case (UInt8(ascii: ">"), _): endStartTag()
        case (UInt8(ascii: "\""), .beforeValue), (UInt8(ascii: "'"), .beforeValue):
            state = .quoted(byte)
            address = Self.addressAttributes.contains(attribute) || attribute.hasSuffix(":href") ? .start : .none
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
