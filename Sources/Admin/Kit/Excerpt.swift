// How a content begins, in one line, for lists.
import Domain
import Markup

enum Excerpt {
    private static let length = 160

    /// The names of the fields to begin with, by content type. Summaries come before texts.
    static func fields(of types: [ContentType]) -> [String: [String]] {
        Dictionary(types.map { ($0.name, texts(of: $0).map(\.name)) }) { first, _ in first }
    }

    private static func texts(of type: ContentType) -> [Field] {
        let texts = type.fields.filter { $0.type.isText && $0.type != .text }
        return texts.filter { $0.type == .longText } + texts.filter { $0.type != .longText }
    }

    /// One line of plain text; nil if there is none.
    static func text(_ beginning: String?, _ type: ContentType?) -> String? {
        guard let beginning, let type else { return nil }
        let hasMarkup = beginning.contains("<") && type.fields.contains { $0.type == .richText }
        let plain = hasMarkup ? (try? HTMLSanitizer.plainText(beginning)) ?? "" : beginning
        let line = PlainText.singleLine(plain)
        if line.isEmpty { return nil }
        return line.count > length ? "\(line.prefix(length))…" : line
    }
}
