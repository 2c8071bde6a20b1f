// A path in a template: `title`, `item.title`, `this`, `this.title`, `@first`, `@last`, `@number`.

enum TemplatePath: Sendable, Hashable, CustomStringConvertible {
    case name([String])
    case this([String])
    case first, last, number

    /// Nil if the text is not one of these.
    init?(_ text: Substring) {
        switch text {
        case "@first": self = .first
        case "@last": self = .last
        case "@number": self = .number
        default:
            let names = text.split(separator: ".", omittingEmptySubsequences: false)
            guard names.allSatisfy(Self.isName) else { return nil }
            self = names[0] == "this" ? .this(names.dropFirst().map(String.init)) : .name(names.map(String.init))
        }
    }

    var isOfLoop: Bool {
        switch self {
        case .first, .last, .number: true
        case .name, .this: false
        }
    }

    var description: String {
        switch self {
        case .name(let names): names.joined(separator: ".")
        case .this(let names): (["this"] + names).joined(separator: ".")
        case .first: "@first"
        case .last: "@last"
        case .number: "@number"
        }
    }

    private static func isName(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, first == UInt8(ascii: "_") || isLetter(first) else { return false }
        return text.utf8.allSatisfy {
            $0 == UInt8(ascii: "_") || isLetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}
