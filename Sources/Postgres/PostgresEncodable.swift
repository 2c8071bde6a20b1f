// The types that can be bound in an SQL statement.
import FoundationEssentials

/// A bound value. Text carries no type: PostgreSQL infers it from the statement.
package enum Bind: Sendable, Equatable {
    case null
    case text(String)
    /// PostgreSQL's binary form; used for `bytea`, whose binary form is the bytes themselves.
    case binary([UInt8])
}

extension Bind {
    /// A text, or NULL.
    package init(_ text: String?) {
        self = text.map(Bind.text) ?? .null
    }

    /// One array of many values: for statements about many rows at once.
    package static func array(_ elements: [Bind]) -> Bind {
        .text(ArrayLiteral.text(of: elements))
    }
}

/// A type that may be interpolated into `SQL`. Enums and other `RawRepresentable` types conform without code.
package protocol PostgresEncodable: Sendable {
    var postgresBind: Bind { get }
    static func postgresBind(array: [Self]) -> Bind
}

extension PostgresEncodable {
    package static func postgresBind(array: [Self]) -> Bind {
        .array(array.map(\.postgresBind))
    }
}

extension PostgresEncodable where Self: RawRepresentable, RawValue: PostgresEncodable {
    package var postgresBind: Bind { rawValue.postgresBind }
}

extension String: PostgresEncodable {
    package var postgresBind: Bind { .text(self) }
}

extension Bool: PostgresEncodable {
    package var postgresBind: Bind { .text(self ? "t" : "f") }
}

extension Int: PostgresEncodable {
    package var postgresBind: Bind { .text(String(self)) }
}

extension Int64: PostgresEncodable {
    package var postgresBind: Bind { .text(String(self)) }
}

extension Int32: PostgresEncodable {
    package var postgresBind: Bind { .text(String(self)) }
}

extension Double: PostgresEncodable {
    package var postgresBind: Bind { .text(description) }
}

extension UUID: PostgresEncodable {
    package var postgresBind: Bind { .text(UUIDText.text(of: self)) }
}

extension Date: PostgresEncodable {
    package var postgresBind: Bind { .text(TimestampText.text(of: self)) }
}

extension UInt8: PostgresEncodable {
    package var postgresBind: Bind { .text(String(self)) }
    /// An array of bytes is one `bytea`.
    package static func postgresBind(array: [UInt8]) -> Bind { .binary(array) }
}

extension Optional: PostgresEncodable where Wrapped: PostgresEncodable {
    package var postgresBind: Bind { self?.postgresBind ?? .null }
}

extension Array: PostgresEncodable where Element: PostgresEncodable {
    package var postgresBind: Bind { Element.postgresBind(array: self) }
}
