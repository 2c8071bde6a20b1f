// The signing secret of a webhook, and the signatures of its deliveries (Standard Webhooks 1.0).
import Platform

package struct WebhookSecret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private static let prefix = "whsec_"
    private static let length = 32

    let key: [UInt8]

    static func make() -> WebhookSecret { WebhookSecret(key: SecureRandom.bytes(length)) }

    init(key: [UInt8]) { self.key = key }

    /// Shown to the receiver only.
    package var text: String { Self.prefix + Base64.encode(key) }

    package var description: String { "[secret]" }
    package var debugDescription: String { "[secret]" }
    package var customMirror: Mirror { Mirror(self, children: []) }

    /// The headers of one attempt at `seconds` since 1970. During a rotation they contain a signature by each secret, so
    /// that receivers can switch at any time.
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
