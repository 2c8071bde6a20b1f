// A position in an ordered list, at which the next page starts.
import FoundationEssentials
import Localization

/// The sort values of the last row of a page, encoded as an opaque string for URLs. The list that reads a cursor checks
/// it: a forged cursor can only point to another position in the same list.
package struct Cursor: Sendable, Hashable {
    package let values: [String]

    package init(_ values: [String]) {
        self.values = values
    }

    /// Reads a cursor with exactly `count` values, or with any number of them. Throws `unreadable` for anything else.
    package init(parsing text: String, count: Int? = nil) throws(Failure) {
        let padded = text.replacing("-", with: "+").replacing("_", with: "/")
        let missing = (4 - padded.utf8.count % 4) % 4
        guard text.utf8.count <= 1024, let data = Data(base64Encoded: padded + String(repeating: "=", count: missing)),
            let joined = String(validating: data, as: UTF8.self)
        else { throw Self.unreadable }
        let values = joined.split(separator: "\u{1F}", omittingEmptySubsequences: false).map(String.init)
        guard values.count == count ?? values.count, !joined.utf8.contains(0) else { throw Self.unreadable }
        self.values = values
    }

    /// Base64url without padding.
    package var text: String { Self.base64URL(Array(values.joined(separator: "\u{1F}").utf8)) }

    /// Bytes as base64url without padding.
    package static func base64URL(_ data: [UInt8]) -> String {
        let base64 = Data(data).base64EncodedData()
        let bytes = base64.compactMap { byte -> UInt8? in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            case UInt8(ascii: "="): nil
            default: byte
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The value at `index` as a whole number.
    package func integer(_ index: Int) throws(Failure) -> Int64 {
        guard let number = Int64(values[index]) else { throw Self.unreadable }
        return number
    }

    /// The value at `index` as an ID.
    package func uuid(_ index: Int) throws(Failure) -> UUID {
        guard let id = ID<Entry>(values[index]) else { throw Self.unreadable }
        return id.uuid
    }

    /// The error of a cursor that is not one of this list.
    package static var unreadable: Failure {
        .invalid(FieldErrors("/query/cursor", "format", tr("This cursor is invalid. Start again without a cursor.")))
    }
}
