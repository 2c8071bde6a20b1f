// Reads the Idempotency-Key header: bare, or as the quoted string of the IETF draft (R2).
import Domain
import HTTP

enum IdempotencyKey {
    /// Nil if none was sent. A quoted and an unquoted key with the same characters are equal.
    static func read(_ headers: Headers) throws(Failure) -> String? {
        let values = headers.all("Idempotency-Key")
        guard let value = values.first else { return nil }
        guard values.count == 1 else { throw failure("Send one Idempotency-Key.") }
        let key = try unquoted(value)
        // An empty or overlong key is an error in the portal: without a key its retries would create duplicates.
        guard (1...255).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw failure("An idempotency key has 1 to 255 visible ASCII characters.")
        }
        return key
    }

    private static func unquoted(_ value: String) throws(Failure) -> String {
        let quote = UInt8(ascii: "\"")
        guard value.utf8.first == quote else { return value }
        var key: [UInt8] = []
        var isEscaped = false
        var isClosed = false
        for byte in value.utf8.dropFirst() {
            if isClosed { throw failure("Remove the characters after the quoted idempotency key.") }
            if isEscaped {
                guard byte == quote || byte == UInt8(ascii: "\\") else {
                    throw failure("Only \\\" and \\\\ are valid escapes.")
                }
                key.append(byte)
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == quote {
                isClosed = true
            } else {
                key.append(byte)
            }
        }
        guard isClosed else { throw failure("A quoted idempotency key must end with a quote.") }
        return String(decoding: key, as: UTF8.self)
    }

    private static func failure(_ message: String) -> Failure {
        .invalid(FieldErrors("/headers/Idempotency-Key", "format", message))
    }
}
