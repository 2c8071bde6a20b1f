// The entity tag of a reading: publication, eyes and question. The same strong tag is the same bytes.
import HTTP
import Store

enum EntityTag {
    /// Raised when the API itself begins to write its answers in another way.
    private static let edition = "1"

    /// `"1-42-g-3f…"`, with its quotes. What shows promotions has in it also the `moment` at which one last started or
    /// ended; and it is weak, because the seconds that it counts down are not the same bytes at each reading.
    static func text(publication: Int64, scope: ReadScope, target: String, moment: Int64? = nil) -> String {
        // FNV-1a: it only has to tell the few questions apart that one client keeps.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in target.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        var tag = moment == nil ? "\"" : "W/\""
        // At most W/, quotes and dashes, 19 digits and twice 13 of base 36: written without growing.
        tag.reserveCapacity(60)
        tag += edition
        tag += "-"
        tag += String(publication)
        tag += scope == .guest ? "-g-" : "-f-"
        tag += String(hash, radix: 36)
        if let moment { tag += "-" + String(moment, radix: 36) }
        tag += "\""
        return tag
    }

    /// Whether a condition names this very tag. `*` is not looked at: whether there is anything, the tables say.
    static func isNamed(_ tag: String, in condition: String) -> Bool {
        let opaque = tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag
        return condition == tag || (ETag.list(condition)?.contains { "\"" + $0.opaque + "\"" == opaque } ?? false)
    }
}
