// Derives capability links from an id and a key, without storing them.

/// A link contains the id and 128 bits of HMAC-SHA-256 over it: 43 characters of base64url, like tokens. The key is not in
/// the database, so access to the database alone can't create links.
package struct LinkKey: Sendable {
    private static let idLength = 16
    private static let codeLength = 16

    private let key: [UInt8]

    /// `purpose` separates kinds of links from each other and from other uses of the key.
    init(_ boxKey: [UInt8], purpose: String) {
        key = HMAC.sha256(key: boxKey, message: Array("vitrine link: \(purpose)".utf8))
    }

    /// A key for one subject; its links are invalid for other subjects.
    package func key(for subject: String) -> LinkKey { LinkKey(key, purpose: subject) }

    /// `edition` distinguishes links with the same id, so that links can be rotated.
    package func text(for id: [UInt8], edition: Int) -> String {
        Base64.encode(id + code(id, edition), .url)
    }

    /// Whether a text is the valid link of its id in this edition, compared in constant time.
    package func isValid(_ text: String, edition: Int) -> Bool {
        guard let bytes = Self.bytes(text) else { return false }
        let id = Array(bytes.prefix(Self.idLength))
        return ConstantTime.equal(Array(bytes.dropFirst(Self.idLength)), code(id, edition))
    }

    /// The id in the text of a link, unverified; nil for malformed text.
    package static func id(in text: String) -> [UInt8]? {
        bytes(text).map { Array($0.prefix(idLength)) }
    }

    private static func bytes(_ text: String) -> [UInt8]? {
        guard text.utf8.count == 43, let bytes = Base64.decode(text, .url), bytes.count == idLength + codeLength else {
            return nil
        }
        return bytes
    }

    private func code(_ id: [UInt8], _ edition: Int) -> [UInt8] {
        Array(HMAC.sha256(key: key, message: id + Array(":\(edition)".utf8)).prefix(Self.codeLength))
    }
}
