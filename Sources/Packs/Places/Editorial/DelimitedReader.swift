// Reads the rows of a delimited file (CSV, TSV) by the column names in its first row.
import Domain
import Editorial
import Localization
import Markup

/// Column names are lowercased. A row may have fewer columns than the first row; more only if they are empty.
struct DelimitedReader {
    private var reader = CSVReader(separator: nil)
    private var names: [String]?

    mutating func read(_ bytes: [UInt8]) throws(Failure) -> [ImportRecord] {
        do throws(CSVReader.TooLong) {
            return try reader.read(bytes).compactMap { record($0) }
        } catch {
            throw Failure.refused(
                code: "malformed", message: "The record that begins in line \(error.line) is longer than 1 MiB.")
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
        let row = row.trimmed(to: names.count)
        var record = ImportRecord(location: "line \(row.line)", values: [:])
        if row.cells.count > names.count {
            record.problem = tr("The row has \(row.cells.count) columns, but the first line has \(names.count).")
        }
        for (name, bytes) in zip(names, row.cells) {
            guard let text = String(validating: bytes, as: UTF8.self) else {
                record.problem = tr("The column \(name) is not UTF-8. Save the file as UTF-8.")
                continue
            }
            if text.contains(where: { !$0.isWhitespace }) { record.values[name] = .string(text) }
        }
        return record
    }
}
