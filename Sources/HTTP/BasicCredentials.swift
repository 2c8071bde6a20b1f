// The name and password of an `Authorization: Basic` header, read strictly.
import FoundationEssentials

/// Credentials as sent; whether they are right is for others to say.
package struct BasicCredentials: Sendable, Equatable {
    package let name: String
    package let password: String

    /// Why a header was not taken.
    package enum Malformed: String, Error {
        case scheme = "The Authorization header does not use the Basic scheme."
        case base64 = "The Basic credentials are not base64."
        case text = "The Basic credentials are not UTF-8 text, or contain control characters."
        case colon = "The Basic credentials have no colon between name and password."
    }

    /// Reads the value of an Authorization header. The name ends at the first colon.
    package init(header: String) throws(Malformed) {
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, String(parts[0]).equalsIgnoringCase("basic") else { throw .scheme }
        let encoded = parts[1].drop { $0 == " " }
        // Encoding again finds stray bits after the last byte: one text, one spelling.
        guard let data = Data(base64Encoded: String(encoded)), data.base64EncodedString() == encoded else {
            throw .base64
        }
        guard let text = String(validating: data, as: UTF8.self), text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { throw .text }
        guard let colon = text.firstIndex(of: ":") else { throw .colon }
        name = String(text[..<colon])
        password = String(text[text.index(after: colon)...])
    }
}
