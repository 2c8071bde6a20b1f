// The entity tag of a read: publication (number and tag), access scope and query. Equal strong tags mean equal bytes.
import Domain
import HTTP
import Store

enum EntityTag {
    /// Incremented when the API changes the form of its responses.
    private static let edition: StaticString = "1"
    private static let digits: StaticString = "0123456789abcdefghijklmnopqrstuvwxyz"

    /// `"1-42-9f3ac1e07b52-g-3f…"`, with its quotes. Responses that time changes include the `moment` at which it last
    /// did; their tag is weak, because those of promotions contain the remaining seconds.
    static func text(publication: TaggedNumber, scope: ReadScope, target: String, moment: Int64? = nil) -> String {
        var target = target
        var history = publication.tag
        // FNV-1a: it only has to distinguish the few queries that one client caches.
        let hash = target.withUTF8 { bytes in
            bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        }
        // At most W/, quotes and dashes, 19 digits, the tag of the publication and twice 13 digits of base 36.
        return String(unsafeUninitializedCapacity: 67 + history.utf8.count) { tag in
            var count = 0
            func write(_ text: StaticString) {
                for index in 0..<text.utf8CodeUnitCount { tag[count + index] = text.utf8Start[index] }
                count += text.utf8CodeUnitCount
            }
            func write(_ number: UInt64, radix: UInt64 = 36) {
                let start = count
                var rest = number
                repeat {
                    tag[count] = digits.utf8Start[Int(rest % radix)]
                    (rest, count) = (rest / radix, count + 1)
                } while rest > 0
                tag[start..<count].reverse()
            }
            write(moment == nil ? "\"" : "W/\"")
            write(edition)
            write("-")
            write(UInt64(bitPattern: publication.number), radix: 10)
            write("-")
            history.withUTF8 { bytes in
                for byte in bytes {
                    tag[count] = byte
                    count += 1
                }
            }
            write(scope == .guest ? "-g-" : "-f-")
            write(hash)
            if let moment {
                write("-")
                write(UInt64(bitPattern: moment))
            }
            write("\"")
            return count
        }
    }

    /// Whether a condition names exactly this tag. `*` is ignored: only the tables know whether the resource exists.
    static func isNamed(_ tag: String, in condition: String) -> Bool {
        let opaque = tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag
        return condition == tag || (ETag.list(condition)?.contains { "\"" + $0.opaque + "\"" == opaque } ?? false)
    }
}
