// What commands print of a row: a line of text for people, or one JSON object for programs.
import Platform
import Store

/// One member of a row's object, one part of its line, or both. Neither is printed if the value is nil.
package struct Column<Row: Sendable>: Sendable {
    fileprivate let key: String?
    fileprivate let value: @Sendable (Row) -> (any Encodable)?
    fileprivate let text: @Sendable (Row) -> String?

    /// The same value for people and programs.
    package static func both<Value: Encodable & Sendable & CustomStringConvertible>(
        _ key: String, _ value: @escaping @Sendable (Row) -> Value?
    ) -> Column {
        Column(key: key, value: { value($0) }, text: { value($0)?.description })
    }

    package static func json<Value: Encodable & Sendable>(
        _ key: String, _ value: @escaping @Sendable (Row) -> Value?
    ) -> Column {
        Column(key: key, value: { value($0) }, text: { _ in nil })
    }

    package static func text(_ text: @escaping @Sendable (Row) -> String?) -> Column {
        Column(key: nil, value: { _ in nil }, text: text)
    }
}

/// An object of members of any type; those without a value are left out.
package struct JSONObject: Encodable, ExpressibleByDictionaryLiteral {
    private struct MemberKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private let members: [(String, (any Encodable)?)]

    package init(dictionaryLiteral members: (String, (any Encodable)?)...) {
        self.members = members
    }

    package init<Row>(_ row: Row, _ columns: [Column<Row>]) {
        members = columns.compactMap { column in column.key.map { ($0, column.value(row)) } }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: MemberKey.self)
        for case (let key, let value?) in members { try container.encode(value, forKey: MemberKey(stringValue: key)) }
    }
}

/// Each prints JSON with --json, else text, and returns `.ok`, with which most commands end.
extension CommandRun {
    @discardableResult
    package func show<Row>(_ row: Row, _ columns: [Column<Row>]) throws -> ExitCode {
        if isJSON {
            try Output.json(JSONObject(row, columns))
        } else {
            Output.line(columns.compactMap { $0.text(row) }.joined(separator: "  "))
        }
        return .ok
    }

    @discardableResult
    package func list<Row>(_ rows: some Sequence<Row>, _ columns: [Column<Row>]) throws -> ExitCode {
        for row in rows { try show(row, columns) }
        return .ok
    }

    /// Prints at most `limit` rows, each page before the next is read: `page` gets a cursor and a maximum number of rows.
    @discardableResult
    package func list<Row>(
        _ columns: [Column<Row>], limit: Int? = nil, page: (String?, Int) async throws -> Page<Row>
    ) async throws -> ExitCode {
        var remaining = limit ?? .max
        var cursor: String?
        repeat {
            let page = try await page(cursor, min(remaining, 500))
            try list(page.items, columns)
            remaining -= page.items.count
            cursor = remaining > 0 ? page.next : nil
        } while cursor != nil
        return .ok
    }

    /// Prints a result: members for programs, a sentence for people.
    @discardableResult
    package func report(_ members: JSONObject, _ sentence: @autoclosure () -> String) throws -> ExitCode {
        try report(json: members, sentence())
    }

    @discardableResult
    package func report(json result: some Encodable, _ sentence: @autoclosure () -> String) throws -> ExitCode {
        if isJSON { try Output.json(result) } else { Output.line(sentence()) }
        return .ok
    }

    /// What only people need to know besides the result.
    package func note(_ text: @autoclosure () -> String) {
        if !isJSON { Output.note(text()) }
    }
}
