// The secret by which the database recognizes an account's session or an API client.

/// The bytes of a token; the database stores their hash only. They are in no description, so that no log has them.
package struct Credential: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package var description: String { "[secret]" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
