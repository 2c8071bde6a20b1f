// Normalizes postcodes: uppercase without spaces.
import Domain

package enum Postcode {
    /// Nil unless it is two to ten letters and digits.
    package static func key(_ written: String) -> String? {
        let key = written.uppercased().filter { !$0.isWhitespace }
        let isCode = (2...10).contains(key.utf8.count) && key.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit }
        return isCode ? key : nil
    }
}
