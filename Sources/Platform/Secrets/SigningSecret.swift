// The secret that signs requests to webhooks and to the external classifier, and the signatures (Standard Webhooks 1.0).

package struct SigningSecret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private static let prefix = "whsec_"
    private static let length = 32
    /// The bytes of a key that Standard Webhooks allows.
    private static let lengths = 24...64

    package let key: [UInt8]

    package static func make() -> SigningSecret { SigningSecret(key: SecureRandom.bytes(length)) }

    package init(key: [UInt8]) { self.key = key }

    /// Parses `whsec_` and 24 to 64 bytes in base64; nil for anything else.
    package init?(_ text: String) {
        guard text.hasPrefix(Self.prefix), let key = Base64.decode(String(text.dropFirst(Self.prefix.count))),
            Self.lengths.contains(key.count)
        else { return nil }
        self.key = key
    }

    /// Shown to the receiver only.
    package var text: String { Self.prefix + Base64.encode(key) }

    package var description: String { "[secret]" }
    package var debugDescription: String { "[secret]" }
    package var customMirror: Mirror { Mirror(self, children: []) }

    /// The headers of one attempt at `seconds` since 1970. During a rotation they contain a signature by each secret, so
    /// that receivers can switch at any time.
    package static func headers(id: String, seconds: Int, body: [UInt8], secrets: [SigningSecret]) -> [(
        name: String, value: String
    )] {
        let signed = Array("\(id).\(seconds).".utf8) + body
        let signatures = secrets.map { "v1," + Base64.encode(HMAC.sha256(key: $0.key, message: signed)) }
        return [
            ("Content-Type", "application/json"), ("webhook-id", id), ("webhook-timestamp", String(seconds)),
            ("webhook-signature", signatures.joined(separator: " ")),
        ]
    }
}
