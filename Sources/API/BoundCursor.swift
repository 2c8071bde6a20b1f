// Binds cursors to their query: a cursor of one list is an error in every other.
import Domain
import FoundationEssentials
import HTTP
import Store

/// A position in a list may look like one in another list. So clients get it with a mark of the list's path, filters and
/// access scope in front, and it is checked before the position is read. The mark is no secret: positions are untrusted.
struct BoundCursor {
    /// 48 bits of base64url.
    private static let markLength = 8

    /// Parameters that may differ between pages: the cursor keeps the origin of distances (K19), a signed URL may be
    /// renewed, the access scope says more than the view, and `since` grows with each page of a copy.
    private static let changeable: Set<String> = ["cursor", "lat", "lon", "key", "view", "since"]

    private let mark: String

    init(path: String, query: FormFields, scope: ReadScope) {
        let filters = query.fields.filter { !Self.changeable.contains($0.name) }.map { "\($0.name)=\($0.value)" }
        let list = ([path, scope == .guest ? "g" : "f"] + filters.sorted()).joined(separator: "\u{1F}")
        // FNV-1a: it only has to distinguish lists.
        let hash = list.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        let bytes = (0..<6).map { UInt8(truncatingIfNeeded: (hash ^ hash >> 48) >> (8 * $0)) }
        mark = Cursor.base64URL(bytes)
    }

    init(_ request: Request, scope: ReadScope) {
        self.init(path: request.path, query: request.query, scope: scope)
    }

    /// The text that clients get for a cursor of the store.
    func text(of cursor: String) -> String { mark + cursor }

    /// The cursor of the store; throws `Cursor.unreadable` for the cursor of another list.
    func cursor(from text: String) throws(Failure) -> String {
        guard text.hasPrefix(mark) else { throw Cursor.unreadable }
        return String(text.dropFirst(Self.markLength))
    }

    /// The URL of a redirect with its cursor bound to that URL, so that pages continue while a slug changes.
    func rebound(_ url: String, scope: ReadScope) throws -> String {
        let parts = url.split(separator: "?", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return url }
        let query = try FormFields(urlEncoded: parts[1])
        let path = try PercentCoding.decode(parts[0].utf8, plusIsSpace: false)
        let bound = BoundCursor(path: path, query: query, scope: scope)
        let fields = try query.fields.map { field in
            guard field.name == "cursor" else { return field }
            return FormFields.Field(name: field.name, value: bound.text(of: try cursor(from: field.value)))
        }
        return parts[0] + "?" + FormFields(fields).urlEncoded
    }
}
