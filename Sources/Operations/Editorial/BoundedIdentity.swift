// Bounds the text by which an import recognizes what it imported before.
import Platform

package enum BoundedIdentity {
    /// The text; a longer one is cut, with a digest in place of the rest, so that different ones stay different. PostgreSQL
    /// counts characters as Unicode scalars.
    package static func text(_ text: String, atMost limit: Int) -> String {
        text.unicodeScalars.count <= limit
            ? text : String(text.unicodeScalars.prefix(limit - 20)) + " " + digest(text)
    }

    /// The first twelve digits of its SHA-256.
    package static func digest(_ text: String) -> String { String(Hex.text(SHA256.hash(text)).prefix(12)) }
}
