// Validates the syntax of email addresses.
import Localization

package enum EmailAddress {
    /// The email address in lowercase, since accounts must not differ only in case, with an internationalized domain in its
    /// ASCII form, which every mail server takes. Throws `Failure.invalid` with `format`.
    package static func check(_ written: String, pointer: String = "/email") throws(Failure) -> String {
        let email = PlainText.singleLine(written).lowercased()
        // Rejects control characters such as line endings and NUL, which could inject mail headers.
        let isOneLine = !written.unicodeScalars.contains { $0.properties.generalCategory == .control }
        let parts = email.split(separator: "@", omittingEmptySubsequences: false)
        if isOneLine, email.utf8.count <= 254, parts.count == 2, isLocalPart(parts[0]),
            let domain = asciiDomain(parts[1])
        {
            let ascii = "\(parts[0])@\(domain)"
            if ascii.utf8.count <= 254 { return ascii }
        }
        throw .invalid(FieldErrors(pointer, "format", tr("Enter an email address such as name@example.org.")))
    }

    /// The form under which the email address is stored; what is none stays as it is, in lowercase.
    package static func stored(_ written: String) -> String {
        (try? check(written)) ?? written.lowercased()
    }

    /// The masked form for pages that only need a hint: `a…@example.org`.
    package static func masked(_ email: String) -> String {
        let parts = email.split(separator: "@", maxSplits: 1)
        return "\(parts.first?.prefix(1) ?? "")…@\(parts.last ?? "")"
    }

    /// Unquoted local parts only.
    private static func isLocalPart(_ part: Substring) -> Bool {
        part.utf8.count <= 64
            && part.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { atom in
                !atom.isEmpty
                    && atom.allSatisfy {
                        $0.isASCIILetter || $0.isASCIIDigit || "!#$%&'*+/=?^_`{|}~-".utf8.contains($0)
                    }
            }
    }

    /// Nil if it is none.
    private static func asciiDomain(_ part: Substring) -> String? {
        if part.utf8.allSatisfy({ $0 < 0x80 }) { return isDomain(part) ? String(part) : nil }
        let composed = NormalForm.composed(String(part))
        let labels = composed.split(separator: ".", omittingEmptySubsequences: false)
        // Other forms of letters, such as full-width ones, name the same domain (UTS 46); ß and ς are letters of their own.
        let isMapped = composed.unicodeScalars.contains {
            $0.properties.changesWhenNFKCCaseFolded && $0 != "ß" && $0 != "ς"
        }
        let isDelimited = labels.contains { $0.hasPrefix("-") || $0.hasSuffix("-") }
        guard !isMapped, !isDelimited else { return nil }
        let ascii = labels.map { label in
            label.utf8.allSatisfy { $0 < 0x80 } ? String(label) : "xn--" + Punycode.encode(String(label))
        }.joined(separator: ".")
        return isDomain(ascii[...]) && HostName.isValid(ascii[...]) ? ascii : nil
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
