// An incremental parser of tables with one separator (RFC 4180 for commas), and lines that end with LF, CRLF or CR, with constant
// memory for any file size.

package struct CSVReader {
    package struct Record: Sendable, Equatable {
        /// The line of the file on which it begins, from 1.
        package let line: Int
        package let cells: [[UInt8]]

        /// Without empty cells after the first `count`: spreadsheets write them where another row is longer.
        package func trimmed(to count: Int) -> Record {
            let surplus = cells.dropFirst(count).reversed().prefix { $0.isEmpty }.count
            return Record(line: line, cells: Array(cells.dropLast(surplus)))
        }

        /// The cells as text; invalid UTF-8 is replaced.
        package var fields: [String] { cells.map { String(decoding: $0, as: UTF8.self) } }
    }

    /// A record that exceeds the limit, usually because of an unclosed quote.
    package struct TooLong: Error, Sendable, Equatable {
        package let line: Int
    }

    /// The maximum size of a record in bytes.
    package static let recordBytes = 1 << 20

    private let separator: UInt8
    private var cell: [UInt8] = []
    private var cells: [[UInt8]] = []
    private var isQuoted = false
    /// After a quote inside quotes: it closes, or the next quote escapes it.
    private var mayClose = false
    /// After a CR that ended a line: an LF belongs to it.
    private var wasReturn = false
    private var line = 1
    private var firstLine = 1
    private var bytesOfRecord = 0
    private var isStarted = false
    private var mark = 0

    /// Tab-separated files have no quotes.
    package init(separator: UInt8 = UInt8(ascii: ",")) {
        self.separator = separator
    }

    /// The line of the record with an open quote.
    package var openQuote: Int? { isQuoted && !mayClose ? firstLine : nil }

    /// The records that these bytes complete.
    package mutating func read(_ bytes: some Sequence<UInt8>) throws(TooLong) -> [Record] {
        var records: [Record] = []
        for byte in bytes {
            if mark < 3, skipsMark(byte) { continue }
            bytesOfRecord += 1
            if bytesOfRecord > Self.recordBytes { throw TooLong(line: firstLine) }
            if let record = take(byte) { records.append(record) }
        }
        return records
    }

    /// The record completed by the end of the file.
    package mutating func end() -> Record? {
        isStarted || !cell.isEmpty || !cells.isEmpty ? finish() : nil
    }

    /// The byte order mark that some programs write before UTF-8.
    private mutating func skipsMark(_ byte: UInt8) -> Bool {
        guard byte == [0xEF, 0xBB, 0xBF][mark] else {
            mark = 3
            return false
        }
        mark += 1
        return true
    }

    private mutating func take(_ byte: UInt8) -> Record? {
        if byte == 0x0A {
            if wasReturn {
                wasReturn = false
                return skipLine()
            }
            line += 1
        }
        wasReturn = false
        if isQuoted {
            if mayClose {
                mayClose = false
                if byte == UInt8(ascii: "\"") {
                    cell.append(byte)
                    return nil
                }
                isQuoted = false
            } else {
                if byte == UInt8(ascii: "\"") { mayClose = true } else { cell.append(byte) }
                return nil
            }
        }
        switch byte {
        case separator:
            endCell()
            isStarted = true
        case 0x0A: return endLine()
        case 0x0D:
            line += 1
            wasReturn = true
            return endLine()
        case UInt8(ascii: "\"") where cell.isEmpty && separator != UInt8(ascii: "\t"):
            isQuoted = true
            isStarted = true
        default:
            cell.append(byte)
            isStarted = true
        }
        return nil
    }

    private mutating func endCell() {
        cells.append(cell)
        cell.removeAll(keepingCapacity: true)
    }

    private mutating func endLine() -> Record? { isStarted || !cell.isEmpty ? finish() : skipLine() }

    private mutating func finish() -> Record {
        endCell()
        let record = Record(line: firstLine, cells: cells)
        cells.removeAll(keepingCapacity: true)
        isQuoted = false
        mayClose = false
        _ = skipLine()
        return record
    }

    private mutating func skipLine() -> Record? {
        isStarted = false
        firstLine = line
        bytesOfRecord = 0
        return nil
    }
}
