// Encodes and strictly decodes Base64 and base64url.
import CSodium

package enum Base64 {
    package enum Alphabet: Sendable {
        /// `+` and `/`, with `=` padding (RFC 4648 section 4).
        case standard
        /// `-` and `_`, without padding (RFC 4648 section 5): for URLs, headers and cookies.
        case url

        fileprivate var variant: Int32 {
            switch self {
            case .standard: sodium_base64_VARIANT_ORIGINAL
            case .url: sodium_base64_VARIANT_URLSAFE_NO_PADDING
            }
        }
    }

    package static func encode(_ bytes: [UInt8], _ alphabet: Alphabet = .standard) -> String {
        Sodium.start()
        // The length includes the terminating NUL.
        let length = sodium_base64_encoded_len(bytes.count, alphabet.variant)
        var text = [CChar](repeating: 0, count: length)
        sodium_bin2base64(&text, length, bytes, bytes.count, alphabet.variant)
        return String(decoding: text.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Nil for anything that `encode` would not produce: other characters, white space, wrong or missing padding, unused
    /// bits at the end.
    package static func decode(_ text: String, _ alphabet: Alphabet = .standard) -> [UInt8]? {
        Sodium.start()
        let characters = text.utf8.map { CChar(bitPattern: $0) }
        var bytes = [UInt8](repeating: 0, count: characters.count)
        var count = 0
        // Without an end pointer, libsodium rejects input that is not consumed completely.
        let failed = sodium_base642bin(
            &bytes, bytes.count, characters, characters.count, nil, &count, nil, alphabet.variant)
        return failed == 0 ? Array(bytes.prefix(count)) : nil
    }
}
