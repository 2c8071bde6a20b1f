// The form of an email address; whether someone reads there, only a message can tell.

package enum EmailAddress {
    /// The address in lower case: two accounts must not differ by case alone. Throws `Failure.invalid` with `format`.
    package static func check(_ written: String, pointer: String = "/email") throws(Failure) -> String {
        let address = PlainText.singleLine(written).lowercased()
        // What single lines lose (line ends, NUL) must not have been there: it could add headers to a message.
        let isOneLine = !written.unicodeScalars.contains { $0.properties.generalCategory == .control }
        let parts = address.split(separator: "@", omittingEmptySubsequences: false)
        guard isOneLine, address.utf8.count <= 254, parts.count == 2, isLocalPart(parts[0]), isDomain(parts[1]) else {
            throw .invalid(FieldErrors(pointer, "format", "Write an email address such as name@example.org."))
        }
        return address
    }

    /// Enough of it to recognise, for pages that need no more: `a…@example.org`.
    package static func masked(_ address: String) -> String {
        let parts = address.split(separator: "@", maxSplits: 1)
        return "\(parts.first?.prefix(1) ?? "")…@\(parts.last ?? "")"
    }

    /// Unquoted, as every address in use is.
    private static func isLocalPart(_ part: Substring) -> Bool {
        part.utf8.count <= 64
            && part.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { atom in
                !atom.isEmpty
                    && atom.allSatisfy {
                        $0.isASCIILetter || $0.isASCIIDigit || "!#$%&'*+/=?^_`{|}~-".utf8.contains($0)
                    }
            }
    }

    private static func isDomain(_ part: Substring) -> Bool {
        let labels = part.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return labels.count >= 2
            && labels.allSatisfy { label in
                (1...63).contains(label.count) && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
                    && label.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") }
            }
    }
}
