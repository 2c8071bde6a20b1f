// What an external classifier reads of a submission: its text without markup and its links' hosts, both bounded.

package struct ClassifiedText: Sendable, Equatable {
    /// Bytes of UTF-8.
    package static let maxBytes = 8192
    package static let maxTitleBytes = 512
    package static let maxHosts = 20

    package let type: String
    /// A guess; nil if there are too few words.
    package let language: String?
    package let title: String
    package let text: String
    /// The text is longer than what is sent.
    package let isCut: Bool
    /// The hosts of its links, each once, in order of appearance.
    package let hosts: [String]

    /// `plain`: its rich text without the markup.
    package init(_ content: Content, in type: ContentType, plain: String) {
        let screened = ScreenedText(content, in: type, plain: plain, contributor: nil)
        let written = type.fields.filter { $0.type == .longText }.compactMap { content.fields[$0.name]?.stringValue }
        let whole = ([plain] + written).filter { !$0.isEmpty }.joined(separator: "\n")
        self.type = type.name
        language = screened.language
        title = Self.beginning(of: content.title(in: type), bytes: Self.maxTitleBytes)
        text = Self.beginning(of: whole, bytes: Self.maxBytes)
        isCut = text.utf8.count < whole.utf8.count
        var seen: Set<String> = []
        hosts = Array(
            screened.hosts.filter { $0.utf8.count <= 253 && seen.insert($0).inserted }.prefix(Self.maxHosts))
    }

    /// Its members in a request. Answers about the same members are reused.
    package var members: [String: JSONValue] {
        [
            "type": .string(type), "language": language.map(JSONValue.string) ?? .null, "title": .string(title),
            "text": .string(text), "is_cut": .bool(isCut), "hosts": .array(hosts.map(JSONValue.string)),
        ]
    }

    /// Never a part of a character's encoding.
    private static func beginning(of text: String, bytes: Int) -> String {
        if text.utf8.count <= bytes { return text }
        var end = text.utf8.index(text.utf8.startIndex, offsetBy: bytes)
        while end > text.utf8.startIndex, text.utf8[end] & 0xC0 == 0x80 { end = text.utf8.index(before: end) }
        return String(text[..<end])
    }
}
