// Encrypts stored secrets, so that access to the database alone does not reveal them.
import CSodium

/// XSalsa20 and Poly1305 (libsodium's secretbox): a 24-byte random nonce followed by the box.
package struct SecretBox: Sendable {
    package static let keyLength = 32

    private let key: [UInt8]

    /// Nil unless the key has 32 bytes.
    package init?(key: [UInt8]) {
        guard key.count == Self.keyLength else { return nil }
        self.key = key
    }

    /// Identifies the key without revealing it: 32 hexadecimal digits.
    package var fingerprint: String {
        Hex.text(Array(HMAC.sha256(key: key, message: Array("vitrine key fingerprint".utf8)).prefix(16)))
    }

    /// A key for links, derived from this key.
    package func linkKey(_ purpose: String) -> LinkKey { LinkKey(key, purpose: purpose) }

    /// A box for another kind of secrets; the two can't open each other's secrets.
    package func box(for purpose: String) -> SecretBox {
        SecretBox(derived: HMAC.sha256(key: key, message: Array("vitrine box: \(purpose)".utf8)))
    }

    private init(derived key: [UInt8]) {
        self.key = key
    }

    package func seal(_ secret: [UInt8]) -> [UInt8] {
        Sodium.start()
        let nonce = SecureRandom.bytes(crypto_secretbox_noncebytes())
        var box = [UInt8](repeating: 0, count: crypto_secretbox_macbytes() + secret.count)
        crypto_secretbox_easy(&box, secret, UInt64(secret.count), nonce, key)
        return nonce + box
    }

    /// Nil if it was encrypted with another key or changed.
    package func open(_ sealed: [UInt8]) -> [UInt8]? {
        Sodium.start()
        let overhead = crypto_secretbox_noncebytes() + crypto_secretbox_macbytes()
        guard sealed.count >= overhead else { return nil }
        let nonce = Array(sealed.prefix(crypto_secretbox_noncebytes()))
        let box = Array(sealed.dropFirst(crypto_secretbox_noncebytes()))
        var secret = [UInt8](repeating: 0, count: sealed.count - overhead)
        let failed = crypto_secretbox_open_easy(&secret, box, UInt64(box.count), nonce, key)
        return failed == 0 ? secret : nil
    }
}
