// The entity tag of a reading: publication, eyes and question. The same tag is the same bytes.
import HTTP
import Store

enum EntityTag {
    /// Raised when the API itself begins to write its answers in another way.
    private static let edition = "1"

    /// `"1-42-g-3f…"`, with its quotes.
    /// `boundary`: for what changes by the clock too, when it last did, in seconds since 1970.
    static func text(publication: Int64, boundary: Int64? = nil, scope: ReadScope, target: String) -> String {
        // FNV-1a: it only has to tell the few questions apart that one client keeps.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        let question = boundary.map { target + " \($0)" } ?? target
        for byte in question.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return "\"\(edition)-\(publication)-\(scope == .guest ? "g" : "f")-\(String(hash, radix: 36))\""
    }

    /// Whether a condition names this very tag. `*` is not looked at: whether there is anything, the tables say.
    static func isNamed(_ tag: String, in condition: String) -> Bool {
        condition == tag || (ETag.list(condition)?.contains { "\"" + $0.opaque + "\"" == tag } ?? false)
    }
}
