// Computes SHA-256 incrementally.
import CSodium

package struct SHA256Stream {
    private var state = crypto_hash_sha256_state()

    package init() {
        Sodium.start()
        crypto_hash_sha256_init(&state)
    }

    package mutating func add(_ bytes: [UInt8]) {
        crypto_hash_sha256_update(&state, bytes, UInt64(bytes.count))
    }

    /// 64 lowercase hexadecimal digits of all bytes so far.
    package var hex: String {
        var hash = [UInt8](repeating: 0, count: crypto_hash_sha256_bytes())
        var state = state
        crypto_hash_sha256_final(&state, &hash)
        return Hex.text(hash)
    }
}
