// The key by which apps request a text, a setting or an onboarding set: `site.about`.
import Localization

package enum ContentKey {
    /// The maximum length in bytes.
    package static let maxLength = 80

    static var formatMessage: String {
        tr(
            "Use lowercase letters, digits and underscores, with dots or hyphens between words, such as "
                + "site.about. Start with a letter; use at most \(maxLength) characters.")
    }

    static func isKey(_ text: String) -> Bool {
        let parts = text.utf8.split(omittingEmptySubsequences: false) {
            $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-")
        }
        return text.utf8.count <= maxLength && (text.utf8.first.map(isLetter) ?? false)
            && parts.allSatisfy { part in
                !part.isEmpty && part.allSatisfy { isLetter($0) || $0.isASCIIDigit || $0 == UInt8(ascii: "_") }
            }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
}
