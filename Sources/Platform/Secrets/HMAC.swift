// Computes and checks HMAC-SHA-256 authentication codes.
import CSodium

package enum HMAC {
    /// 32 bytes. The key may have any length (RFC 2104).
    package static func sha256(key: [UInt8], message: [UInt8]) -> [UInt8] {
        Sodium.start()
        var state = crypto_auth_hmacsha256_state()
        crypto_auth_hmacsha256_init(&state, key, key.count)
        crypto_auth_hmacsha256_update(&state, message, UInt64(message.count))
        var code = [UInt8](repeating: 0, count: crypto_auth_hmacsha256_bytes())
        crypto_auth_hmacsha256_final(&state, &code)
        return code
    }

    /// Whether `code` equals the 32 bytes of `sha256`, compared in constant time.
    package static func isValid(_ code: [UInt8], key: [UInt8], message: [UInt8]) -> Bool {
        ConstantTime.equal(code, sha256(key: key, message: message))
    }
}
