// The texts of one language, from a compiled gettext catalog (`.mo`).
import CICU
import FoundationEssentials
import Synchronization

package final class MessageCatalog: Sendable {
    /// A BCP 47 tag, such as `de`.
    package let language: String
    /// By key, after its context and U+0004 if it has one.
    private let texts: [String: String]

    /// The catalog of the texts that the current task produces; nil for English.
    @TaskLocal package static var current: MessageCatalog?

    /// Whether this process has a catalog; if not, texts are English without a look at the task.
    private static let isUsed = Atomic(false)

    /// `current`, at the cost of a read of memory if there are no catalogs.
    static var inUse: MessageCatalog? { isUsed.load(ordering: .relaxed) ? current : nil }

    package init(language: String, texts: [String: String]) {
        Self.isUsed.store(true, ordering: .relaxed)
        self.language = language
        self.texts = texts
    }

    /// Reads a file that `msgfmt` wrote. Throws `CatalogFault` if it is not one, and errors of the file system.
    package convenience init(language: String, path: String) throws {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        self.init(language: language, texts: try CompiledCatalog(bytes: bytes).texts())
    }

    /// The translation of an English text; nil if there is none.
    package func text(of key: String, context: String?) -> String? {
        texts[context.map { "\($0)\u{4}\(key)" } ?? key]
    }

    func text(of message: Message, context: String?) -> String? {
        guard let pattern = text(of: message.key, context: context) else { return nil }
        return format(pattern, message.arguments)
    }

    /// Nil if the pattern is invalid. A text argument that contains NUL ends there.
    private func format(_ pattern: String, _ arguments: [Message.Argument]) -> String? {
        var strings: [CChar] = []
        let offsets = arguments.map { argument in
            if case .text(let text) = argument { strings += text.utf8CString }
            return strings.count
        }
        return strings.withUnsafeBufferPointer { strings in
            let values = zip(arguments, [0] + offsets).map { argument, offset in
                switch argument {
                case .number(let number): VitrineArgument(text: nil, number: Int64(number))
                case .text: VitrineArgument(text: strings.baseAddress.map { $0 + offset }, number: 0)
                }
            }
            return format(pattern, values)
        }
    }

    private func format(_ pattern: String, _ values: [VitrineArgument]) -> String? {
        var text = [CChar](repeating: 0, count: 512)
        while true {
            let length = vitrine_format_message(
                language, pattern, values, Int32(values.count), &text, Int32(text.count))
            guard length >= 0 else { return nil }
            if length <= text.count { return String(validating: text[..<Int(length)], as: UTF8.self) }
            text = [CChar](repeating: 0, count: Int(length))
        }
    }
}

package struct CatalogFault: Error, CustomStringConvertible {
    package let description: String
}

/// The binary format of gettext: a header of seven 32-bit numbers, two tables of lengths and offsets, and strings.
private struct CompiledCatalog {
    let bytes: [UInt8]

    func texts() throws -> [String: String] {
        guard try number(at: 0) == 0x9504_12de else {
            throw CatalogFault(
                description: "This is not a compiled message catalog (.mo) of this machine's byte order.")
        }
        let count = try number(at: 8)
        let (keys, values) = (try number(at: 12), try number(at: 16))
        var texts: [String: String] = [:]
        for index in 0..<count {
            let key = try string(at: keys + 8 * index)
            // The empty key has the header.
            if !key.isEmpty { texts[key] = try string(at: values + 8 * index) }
        }
        return texts
    }

    private func string(at entry: Int) throws -> String {
        let (length, offset) = (try number(at: entry), try number(at: entry + 4))
        guard offset + length <= bytes.count else {
            throw CatalogFault(description: "This message catalog is incomplete.")
        }
        return String(decoding: bytes[offset..<offset + length], as: UTF8.self)
    }

    private func number(at offset: Int) throws -> Int {
        guard offset + 4 <= bytes.count else { throw CatalogFault(description: "This message catalog is incomplete.") }
        return (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }
}
