// Compares secrets in constant time.
import CSodium

package enum ConstantTime {
    /// The duration reveals only the lengths.
    package static func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        Sodium.start()
        return left.count == right.count && sodium_memcmp(left, right, left.count) == 0
    }

    package static func equal(_ left: String, _ right: String) -> Bool {
        equal(Array(left.utf8), Array(right.utf8))
    }
}
