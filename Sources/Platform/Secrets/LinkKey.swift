// Makes links that open one thing to whoever has them: they follow from its id and a key, and stand in no table.

/// A link holds the id and 128 bits of HMAC-SHA-256 over it: 43 characters of base64url, as tokens have. Without the key, which
/// the database does not hold, none can be made.
package struct LinkKey: Sendable {
    private static let idLength = 16
    private static let codeLength = 16

    private let key: [UInt8]

    /// `purpose` keeps links of different kinds apart, and apart from all else that is done with the box's key.
    init(_ boxKey: [UInt8], purpose: String) {
        key = HMAC.sha256(key: boxKey, message: Array("vitrine link: \(purpose)".utf8))
    }

    /// A key for one subject: its links open nothing of another.
    package func narrowed(to subject: String) -> LinkKey { LinkKey(key, purpose: subject) }

    /// `edition` tells links to the same thing apart, so that one can be revoked.
    package func text(for id: [UInt8], edition: Int) -> String {
        Base64.encode(id + code(id, edition), .url)
    }

    /// Whether a text is the link to what its id says, in this edition. Takes the same time wherever it differs.
    package func isValid(_ text: String, edition: Int) -> Bool {
        guard let bytes = Self.bytes(text) else { return false }
        let id = Array(bytes.prefix(Self.idLength))
        return ConstantTime.equal(Array(bytes.dropFirst(Self.idLength)), code(id, edition))
    }

    /// The id that a text claims to be a link to; nil for what has not the form of a link.
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
