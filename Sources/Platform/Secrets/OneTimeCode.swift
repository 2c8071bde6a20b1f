// Computes the one-time codes of authenticator apps (RFC 6238): SHA-1, six digits, 30-second steps.
import CCrypto

package struct OneTimeCode: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The length of the hash (RFC 4226, section 4).
    private static let secretLength = 20

    /// Shared by app and server. Stored only encrypted.
    package let secret: [UInt8]

    package init(secret: [UInt8]) {
        self.secret = secret
    }

    package static func make() -> OneTimeCode { OneTimeCode(secret: SecureRandom.bytes(secretLength)) }

    /// The six digits of a step; steps count from 1970.
    package func code(at step: Int64) -> String {
        let message = (0..<8).map { UInt8(truncatingIfNeeded: step >> (8 * (7 - Int64($0)))) }
        var hash = [UInt8](repeating: 0, count: 20)
        let succeeded = vitrine_hmac_sha1(secret, Int32(secret.count), message, message.count, &hash)
        precondition(succeeded != 0, "OpenSSL does not support HMAC-SHA-1")
        let offset = Int(hash[19] & 15)
        let number = hash[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7fff_ffff
        let digits = String(number % 1_000_000)
        return String(repeating: "0", count: 6 - digits.count) + digits
    }

    /// The step of a code: the current, previous or next one, to tolerate clock skew. Nil for any other code. Constant time.
    package func step(of code: String, now: Int64) -> Int64? {
        var found: Int64?
        for step in now - 1...now + 1 where ConstantTime.equal(self.code(at: step), code) { found = step }
        return found
    }

    /// The secret as text, to be typed into the app.
    package var text: String { Base32.encode(secret) }

    /// The content of the QR code.
    package func url(issuer: String, account: String) -> String {
        func escaped(_ text: String) -> String {
            text.utf8.map { byte in
                let isPlain =
                    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                    || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "-._~@".utf8.contains(byte)
                return isPlain ? String(UnicodeScalar(byte)) : "%" + Hex.text([byte]).uppercased()
            }.joined()
        }
        let issuer = escaped(issuer)
        return "otpauth://totp/\(issuer):\(escaped(account))?secret=\(text)&issuer=\(issuer)"
    }

    package var description: String { "[secret]" }
    package var debugDescription: String { "[secret]" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
