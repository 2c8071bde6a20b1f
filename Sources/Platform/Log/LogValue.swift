// Represents one field value of a log line.

package enum LogValue: Sendable, Equatable {
    case text(String)
    case integer(Int)
    case number(Double)
    case flag(Bool)
    case nothing

    /// The description of any other value; a `Secret` describes itself as [secret].
    package static func value(_ value: some Sendable) -> LogValue {
        .text(String(describing: value))
    }
}

extension LogValue: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
    package init(stringLiteral text: String) { self = .text(text) }
    package init(integerLiteral number: Int) { self = .integer(number) }
    package init(floatLiteral number: Double) { self = .number(number) }
    package init(booleanLiteral flag: Bool) { self = .flag(flag) }
    package init(nilLiteral: ()) { self = .nothing }
}
