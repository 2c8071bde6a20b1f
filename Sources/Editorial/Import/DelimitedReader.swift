// Gives the rows of a table, by the names that its first row has.
import Domain
import Markup

/// Column names come in lower case from the first row. A row may have fewer columns than there are names, not more.
struct DelimitedReader {
    private var reader = CSVReader(separator: nil)
    private var names: [String]?

    mutating func read(_ bytes: [UInt8]) throws(Failure) -> [ImportRecord] {
        do throws(CSVReader.TooLong) {
            return try reader.read(bytes).compactMap { record($0) }
        } catch {
            throw Failure.refused(
                code: "malformed", message: "The record that begins in line \(error.line) is longer than a mebibyte.")
        }
    }

    mutating func finish() throws(Failure) -> [ImportRecord] {
        if let line = reader.openQuote {
            throw Failure.refused(
                code: "malformed", message: "The quote that opens in line \(line) is never closed.")
        }
        return reader.end().flatMap { record($0) }.map { [$0] } ?? []
    }

    private mutating func record(_ row: CSVReader.Record) -> ImportRecord? {
        guard let names else {
            names = row.fields.map { PlainText.singleLine($0).lowercased() }
            return nil
        }
        if row.cells.allSatisfy(\.isEmpty) { return nil }
        var record = ImportRecord(place: "line \(row.line)", values: [:])
        if row.cells.count > names.count {
            record.problem = "\(row.cells.count) columns, but the first line names \(names.count)."
        }
        for (name, bytes) in zip(names, row.cells) {
            guard let text = String(validating: bytes, as: UTF8.self) else {
                record.problem = "The column \(name) is not UTF-8."
                continue
            }
            if text.contains(where: { !$0.isWhitespace }) { record.values[name] = .string(text) }
        }
        return record
    }
}
