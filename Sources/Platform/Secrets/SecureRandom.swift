// Generates cryptographically secure random bytes with libsodium.
import CSodium

package enum SecureRandom {
    package static func bytes(_ count: Int) -> [UInt8] {
        Sodium.start()
        var bytes = [UInt8](repeating: 0, count: count)
        randombytes_buf(&bytes, count)
        return bytes
    }
}
