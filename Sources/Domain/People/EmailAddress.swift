// Validates the syntax of email addresses.
import Localization

package enum EmailAddress {
    /// The email address in lowercase, since accounts must not differ only in case, with an internationalized domain in its
    /// ASCII form, which every mail server takes. Throws `Failure.invalid` with `format`.
    package static func check(_ written: String, pointer: String = "/email") throws(Failure) -> String {
        if let ascii = ascii(written) { return ascii }
        throw .invalid(FieldErrors(pointer, "format", tr("Enter an email address such as name@example.org.")))
    }

    /// Nil if it is none.
    private static func ascii(_ written: String) -> String? {
        // Before the text is read: blanks around an address may be many, but not so many.
        guard written.utf8.count <= 1024 else { return nil }
        let email = PlainText.singleLine(written)
        // Rejects control characters such as line endings and NUL, which could inject mail headers.
        let isOneLine = !written.unicodeScalars.contains { $0.properties.generalCategory == .control }
        let parts = email.split(separator: "@", omittingEmptySubsequences: false)
        guard isOneLine, email.utf8.count <= 254, parts.count == 2, let domain = asciiDomain(parts[1]) else {
            return nil
        }
        let local = parts[0].lowercased()
        let ascii = "\(local)@\(domain)"
        return isLocalPart(local) && ascii.utf8.count <= 254 ? ascii : nil
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
    private static func isLocalPart(_ part: String) -> Bool {
        part.utf8.count <= 64
            && part.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { atom in
                !atom.isEmpty
                    && atom.allSatisfy {
                        $0.isASCIILetter || $0.isASCIIDigit || "!#$%&'*+/=?^_`{|}~-".utf8.contains($0)
                    }
            }
    }

    /// In lowercase; nil if it is none.
    private static func asciiDomain(_ part: Substring) -> String? {
        let ascii = HostName.isInternational(part) ? HostName.internationalName(part) : part.lowercased()
        return ascii.flatMap { isDomain($0) ? $0 : nil }
    }

    private static func isDomain(_ part: String) -> Bool {
        let labels = part.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return labels.count >= 2
            && labels.allSatisfy { label in
                (1...63).contains(label.count) && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
                    && label.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") }
            }
    }
}
