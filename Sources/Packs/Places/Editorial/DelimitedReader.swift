// Reads the rows of a delimited file (CSV, TSV) by the column names in its first row.
import Domain
import Localization
import Markup
import Operations

/// Column names are lowercased. A row may have fewer columns than the first row; more only if they are empty.
struct DelimitedReader {
    private var reader = TableReader()
    private var names: [String]?

    mutating func read(_ bytes: [UInt8]) throws(Failure) -> [ImportRecord] {
        do throws(TableReader.Unreadable) {
            return try reader.read(bytes).compactMap { record($0) }
        } catch {
            throw Failure.refused(code: "malformed", message: error.message)
        }
    }

    mutating func finish() throws(Failure) -> [ImportRecord] {
        do throws(TableReader.Unreadable) {
            return try reader.finish().compactMap { record($0) }
        } catch {
            throw Failure.refused(code: "malformed", message: error.message)
        }
    }

    private mutating func record(_ row: CSVReader.Record) -> ImportRecord? {
        guard let names else {
            names = row.fields.map { PlainText.singleLine($0).lowercased() }
            return nil
        }
        var record = ImportRecord(location: "line \(row.line)", values: [:])
        record.hasDecimalCommas = reader.hasDecimalCommas
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
