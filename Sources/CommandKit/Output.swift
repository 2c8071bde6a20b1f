// Writes data to standard output and messages to standard error.
import FoundationEssentials
import Glibc

package enum Output {
    package static func line(_ text: String) { write(text, to: ProcessContext.current.output) }

    package static func problem(_ text: String) { write("vitrine: \(text)", to: ProcessContext.current.error) }

    package static func note(_ text: String) { write(text, to: ProcessContext.current.error) }

    /// One JSON document on one line; properties have names in snake_case, keys of dictionaries stay as they are.
    package static func json(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        encoder.keyEncodingStrategy = .convertToSnakeCase
        line(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    private static func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        bytes.append(0x0A)
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno != EINTR && errno != EAGAIN { return }
            if count > 0 { bytes = bytes.dropFirst(count) }
        }
    }
}
