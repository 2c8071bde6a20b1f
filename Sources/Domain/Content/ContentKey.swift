// The name by which programs ask for a text, a setting or an onboarding set: `site.about`.

package enum ContentKey {
    /// In bytes.
    package static let maxLength = 80

    static let form =
        "A key has words of lower-case letters, digits and underscores with dots or hyphens between them, such as "
        + "site.about; it begins with a letter and has at most \(maxLength) characters."

    static func isKey(_ text: String) -> Bool {
        let words = text.utf8.split(omittingEmptySubsequences: false) {
            $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-")
        }
        return text.utf8.count <= maxLength && (text.utf8.first.map(isLetter) ?? false)
            && words.allSatisfy { word in
                !word.isEmpty && word.allSatisfy { isLetter($0) || $0.isASCIIDigit || $0 == UInt8(ascii: "_") }
            }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
}
