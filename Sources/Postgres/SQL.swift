// SQL text whose interpolated values travel beside it, never in it.

/// One SQL statement: `"select title from entry where id = \(id)::uuid"` has the text `… = $1::uuid` and one bind.
///
/// Another `SQL` is spliced in with its placeholders renumbered. `\(raw: name)` inserts text literally: only for
/// identifiers from our own code. `\(fixed: number)` inserts a number literally, so that PostgreSQL plans with it:
/// a bound `limit` is estimated as a tenth of all rows, and the statement is replanned each time.
package struct SQL: Sendable, ExpressibleByStringInterpolation {
    package private(set) var text: String
    package private(set) var binds: [Bind] = []
    /// Where the placeholders stand in `text` (UTF-8 offsets), so that a splice renumbers them without reading SQL.
    private var placeholders: [Int] = []

    package static let empty = SQL(stringLiteral: "")

    package init(stringLiteral text: String) {
        self.text = text
    }

    package init(stringInterpolation: StringInterpolation) {
        self = stringInterpolation.sql
    }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var sql = SQL.empty

        package init(literalCapacity: Int, interpolationCount: Int) {
            sql.text.reserveCapacity(literalCapacity + interpolationCount * 3)
        }

        package mutating func appendLiteral(_ literal: String) {
            sql.text += literal
        }

        package mutating func appendInterpolation(_ value: some PostgresEncodable) {
            sql.append(value.postgresBind)
        }

        /// Named apart from the one above so that the compiler sees that nil is meant to be NULL.
        package mutating func appendInterpolation<Value: PostgresEncodable>(_ value: Value?) {
            sql.append(value?.postgresBind ?? .null)
        }

        package mutating func appendInterpolation(_ bind: Bind) {
            sql.append(bind)
        }

        package mutating func appendInterpolation(_ other: SQL) {
            sql.append(other)
        }

        package mutating func appendInterpolation(raw text: String) {
            sql.text += text
        }

        /// For one of a few numbers: each makes a statement of its own.
        package mutating func appendInterpolation(fixed number: Int) {
            sql.text += String(number)
        }
    }

    package static func + (left: SQL, right: SQL) -> SQL {
        var sum = left
        sum.append(right)
        return sum
    }

    package static func += (left: inout SQL, right: SQL) {
        left.append(right)
    }

    package var isEmpty: Bool { text.isEmpty }

    private mutating func append(_ bind: Bind) {
        binds.append(bind)
        placeholders.append(text.utf8.count)
        text += "$"
        text += String(binds.count)
    }

    private mutating func append(_ other: SQL) {
        let utf8 = other.text.utf8
        var copied = utf8.startIndex
        for (index, offset) in other.placeholders.enumerated() {
            let placeholder = utf8.index(utf8.startIndex, offsetBy: offset)
            text += other.text[copied..<placeholder]
            append(other.binds[index])
            copied = utf8.index(placeholder, offsetBy: 1 + String(index + 1).utf8.count)
        }
        text += other.text[copied...]
    }
}
