// Validates the syntax of media types such as image/png (RFC 6838).

enum MediaTypeText {
    static func isValid(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return parts.count == 2
            && parts.allSatisfy { part in
                !part.isEmpty
                    && part.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "!#$&^_.+-".utf8.contains($0) }
            }
    }
}
