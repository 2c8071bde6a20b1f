// Reads tables with commas, semicolons or tabs between their columns (RFC 4180), piece by piece.
import Domain

/// Column names come in lower case from the first line. With tabs there are no quotes: that is how such tables are
/// written. A record may have fewer columns than there are names, not more.
struct DelimitedReader {
    private var names: [String]?
    private var separator: UInt8?
    private var field: [UInt8] = []
    private var fields: [[UInt8]] = []
    private var isQuoted = false
    private var wasQuoted = false
    private var line = 1
    private var firstLine = 1
    private var records: [ImportRecord] = []

    /// A longer record is a file of another kind, or a quote that was never closed.
    private static let longestRecord = 1 << 20

    private var length = 0

    mutating func read(_ bytes: some Sequence<UInt8>) throws(Failure) -> [ImportRecord] {
        for byte in bytes { try take(byte) }
        defer { records = [] }
        return records
    }

    mutating func finish() throws(Failure) -> [ImportRecord] {
        if isQuoted {
            throw Failure.refused(
                code: "malformed", message: "The quote that opens in line \(firstLine) is never closed.")
        }
        if !field.isEmpty || !fields.isEmpty { endRecord() }
        defer { records = [] }
        return records
    }

    private mutating func take(_ byte: UInt8) throws(Failure) {
        length += 1
        if length > Self.longestRecord {
            throw Failure.refused(
                code: "malformed", message: "The record that begins in line \(firstLine) is longer than a mebibyte.")
        }
        if isQuoted {
            if byte == UInt8(ascii: "\n") { line += 1 }
            if byte == UInt8(ascii: "\"") {
                isQuoted = false
                wasQuoted = true
            } else {
                field.append(byte)
            }
            return
        }
        switch byte {
        case UInt8(ascii: "\"") where wasQuoted:
            // Two quotes within a quoted field are one.
            field.append(byte)
            isQuoted = true
            wasQuoted = false
        case UInt8(ascii: "\"") where field.isEmpty && separator != UInt8(ascii: "\t"):
            isQuoted = true
        case UInt8(ascii: "\n"):
            if field.last == UInt8(ascii: "\r") { field.removeLast() }
            endRecord()
            line += 1
            firstLine = line
            length = 0
        default:
            if isSeparator(byte) { endField() } else { field.append(byte) }
        }
    }

    /// Until the first line has ended, the first separator that it has is the one of the file.
    private mutating func isSeparator(_ byte: UInt8) -> Bool {
        if let separator { return byte == separator }
        guard names == nil, ",;\t".utf8.contains(byte) else { return false }
        separator = byte
        return true
    }

    private mutating func endField() {
        fields.append(field)
        field = []
        wasQuoted = false
    }

    private mutating func endRecord() {
        endField()
        defer { fields = [] }
        guard let names else {
            self.names = fields.map { column in
                let text = String(decoding: column, as: UTF8.self).replacing("\u{FEFF}", with: "")
                return PlainText.singleLine(text).lowercased()
            }
            return
        }
        if fields.allSatisfy(\.isEmpty) { return }
        var record = ImportRecord(place: "line \(firstLine)", values: [:])
        if fields.count > names.count {
            record.problem = "\(fields.count) columns, but the first line names \(names.count)."
        }
        for (name, bytes) in zip(names, fields) {
            guard let text = String(validating: bytes, as: UTF8.self) else {
                record.problem = "The column \(name) is not UTF-8."
                continue
            }
            if text.contains(where: { !$0.isWhitespace }) { record.values[name] = .string(text) }
        }
        records.append(record)
    }
}
