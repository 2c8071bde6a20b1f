// The form of a media type, such as image/png (RFC 6838).

enum MediaTypeText {
    static func isOne(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return parts.count == 2
            && parts.allSatisfy { part in
                !part.isEmpty
                    && part.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "!#$&^_.+-".utf8.contains($0) }
            }
    }
}
