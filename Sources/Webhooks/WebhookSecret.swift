// The secret that a webhook's messages are signed with, and their signatures (Standard Webhooks 1.0).
import Platform

package struct WebhookSecret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private static let prefix = "whsec_"
    private static let length = 32

    let key: [UInt8]

    static func make() -> WebhookSecret { WebhookSecret(key: SecureRandom.bytes(length)) }

    init(key: [UInt8]) { self.key = key }

    /// For the receiver alone.
    package var text: String { Self.prefix + Base64.encode(key) }

    package var description: String { "[secret]" }
    package var debugDescription: String { "[secret]" }
    package var customMirror: Mirror { Mirror(self, children: []) }

    /// The headers of one attempt; `seconds` since 1970 is when it is made. While a secret is being rotated there is a
    /// signature by each, so that receivers can change over when they like.
    package static func headers(id: String, seconds: Int, body: [UInt8], secrets: [WebhookSecret]) -> [(
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
