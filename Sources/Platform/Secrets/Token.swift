// Represents a random bearer secret (session, invitation, API client), of which only the hash is stored.

/// 256 random bits. Shown to its holder once; stored and looked up by `hash`.
package struct Token: Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    private static let length = 32

    /// Only for the database, which recognizes the holder by them (`Credential`).
    package let bytes: [UInt8]

    /// A new token.
    package static func make() -> Token {
        Token(bytes: SecureRandom.bytes(length))
    }

    /// Parses a presented token; nil unless it is 43 characters of base64url.
    package init?(text: String) {
        guard let bytes = Base64.decode(text, .url), bytes.count == Token.length else { return nil }
        self.bytes = bytes
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// 43 characters of base64url, only for the holder.
    package var text: String { Base64.encode(bytes, .url) }

    /// 32 bytes of SHA-256. A fast hash is enough: 256 random bits can't be guessed.
    package var hash: [UInt8] { SHA256.hash(bytes) }

    package var description: String { "[secret]" }
    package var debugDescription: String { "[secret]" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
