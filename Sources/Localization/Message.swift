// A text for people, written in English and shown in the reader's language.

/// The text in the current language (`MessageCatalog.current`), or in English if the catalog has no translation. The
/// English text is the key:
///
///     tr("Choose at most \(limit) cities.")
///     tr("\(count, one: "# item", other: "# items") published")
///     tr("Open", context: "release state")
///
/// `context` distinguishes keys of one word, which need one translation per meaning. `scripts/messages.py` collects all
/// calls, so the key is a literal at the call.
package func tr(_ message: Message, context: String? = nil) -> String {
    guard let catalog = MessageCatalog.inUse else { return message.text }
    return catalog.text(of: message, context: context) ?? message.text
}

/// What `tr` takes: the English text, and, while a catalog is in use, its key and arguments.
package struct Message: ExpressibleByStringInterpolation, Sendable {
    enum Argument: Sendable {
        case text(String)
        case number(Int)
    }

    fileprivate(set) var text: String
    /// The English text as ICU MessageFormat pattern: `{0}`, `{1, plural, one {# item} other {# items}}`.
    fileprivate(set) var key: String
    fileprivate(set) var arguments: [Argument] = []

    package init(stringLiteral value: String) {
        text = value
        key = value
    }

    package init(stringInterpolation: StringInterpolation) {
        self = stringInterpolation.message
    }

    private init(text: String, key: String, arguments: [Argument]) {
        self.text = text
        self.key = key
        self.arguments = arguments
    }

    /// Joins the lines of a long literal.
    package static func + (left: Message, right: Message) -> Message {
        guard MessageCatalog.inUse != nil else { return Message(stringLiteral: left.text + right.text) }
        return Message(
            text: left.text + right.text, key: left.key + shifted(right.key, by: left.arguments.count),
            arguments: left.arguments + right.arguments)
    }

    /// Renumbers the arguments of a pattern of this type.
    private static func shifted(_ key: String, by offset: Int) -> String {
        guard offset > 0 else { return key }
        var result = ""
        var rest = key[...]
        while let brace = rest.firstIndex(of: "{") {
            result += rest[...brace]
            rest = rest[rest.index(after: brace)...]
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            if let number = Int(digits) {
                result += String(number + offset)
                rest = rest[digits.endIndex...]
            }
        }
        return result + rest
    }
}

extension Message {
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var message: Message
        /// English texts need no key.
        private let hasKey = MessageCatalog.inUse != nil

        package init(literalCapacity: Int, interpolationCount: Int) {
            message = Message(stringLiteral: "")
            message.text.reserveCapacity(literalCapacity + 16 * interpolationCount)
        }

        package mutating func appendLiteral(_ literal: String) {
            message.text += literal
            if hasKey {
                message.key += literal.split(separator: "{", omittingEmptySubsequences: false).joined(separator: "'{'")
            }
        }

        package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            let text = value.description
            message.text += text
            append("{\(message.arguments.count)}", .text(text))
        }

        /// A number with its noun; `#` stands for the number.
        package mutating func appendInterpolation(_ count: Int, one: String, other: String) {
            message.text += (count == 1 ? one : other).split(separator: "#", omittingEmptySubsequences: false)
                .joined(separator: String(count))
            append("{\(message.arguments.count), plural, one {\(one)} other {\(other)}}", .number(count))
        }

        private mutating func append(_ placeholder: String, _ argument: Argument) {
            guard hasKey else { return }
            // An apostrophe before a brace would quote it.
            if message.key.hasSuffix("'") { message.key += "'" }
            message.key += placeholder
            message.arguments.append(argument)
        }
    }
}
