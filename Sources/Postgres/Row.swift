// One row of a result, read column by column.
import CPostgres

/// A row; keeps its whole result alive. Errors are `DecodingError`s that name the column and the type, not the value.
package struct Row: Sendable {
    let results: ResultSet
    let index: Int32

    package var columns: [String] { results.columnNames }

    /// Reads a column by name: `try row("title") as String`.
    package func callAsFunction<Value: PostgresDecodable>(
        _ column: String, as type: Value.Type = Value.self
    ) throws -> Value {
        try value(at: position(of: column))
    }

    /// Reads a column by its position from 0.
    package func callAsFunction<Value: PostgresDecodable>(
        _ column: Int, as type: Value.Type = Value.self
    ) throws -> Value {
        guard let position = Int32(exactly: column), position >= 0, position < results.columnCount else {
            throw missing("\(column)")
        }
        return try value(at: position)
    }

    /// The column's text as it came from the server, or the content of a `bytea`.
    package func bytes(_ column: String) throws -> [UInt8] {
        try value(at: position(of: column))
    }

    /// Lends the column's text as it came from the server, without a copy; nil for NULL.
    package func withBytes<Value>(
        _ column: String, _ body: (UnsafeBufferPointer<UInt8>?) throws -> Value
    ) throws -> Value {
        try body(cell(at: position(of: column))?.bytes)
    }

    private func position(of column: String) throws -> Int32 {
        guard let position = results.column(named: column) else { throw missing(column) }
        return position
    }

    private func value<Value: PostgresDecodable>(at position: Int32) throws -> Value {
        guard let cell = cell(at: position) else {
            guard let value = Value.decodeNull() else {
                let context = context(position, "is NULL, which \(Value.self) has no place for")
                throw DecodingError.valueNotFound(Value.self, context)
            }
            return value
        }
        guard let value = Value.decode(cell) else {
            let context = context(position, "of PostgreSQL type \(cell.type) cannot be read as \(Value.self)")
            throw DecodingError.typeMismatch(Value.self, context)
        }
        return value
    }

    private func cell(at position: Int32) -> PostgresCell? {
        if PQgetisnull(results.result, index, position) == 1 { return nil }
        let start = UnsafeRawPointer(PQgetvalue(results.result, index, position))?.assumingMemoryBound(to: UInt8.self)
        let bytes = UnsafeBufferPointer(start: start, count: Int(PQgetlength(results.result, index, position)))
        return PostgresCell(bytes: bytes, type: PQftype(results.result, position))
    }

    private func missing(_ column: String) -> DecodingError {
        let has = results.columnNames.joined(separator: ", ")
        return .keyNotFound(
            ColumnKey(stringValue: column),
            .init(codingPath: [], debugDescription: "no column \"\(column)\" in the result, which has: \(has)"))
    }

    private func context(_ position: Int32, _ what: String) -> DecodingError.Context {
        let name = results.columnNames[Int(position)]
        return .init(codingPath: [ColumnKey(stringValue: name)], debugDescription: "column \"\(name)\" \(what)")
    }
}

private struct ColumnKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
