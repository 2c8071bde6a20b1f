// Reads tables as programs write them: any separator, UTF-8 or UTF-16, any line ends, surplus empty cells.
import Localization

/// Rows without any text are left out.
package struct TableReader: Sendable {
    /// Why the file can't be read, as a sentence.
    package struct Unreadable: Error, Sendable {
        package let message: String
    }

    /// Commas are last: they are in texts, too.
    private static let separators = "\t;|,".utf8
    /// The bytes and rows from which the separator is seen.
    private static let sampleBytes = 64 << 10
    private static let sampleRows = 20

    private var encoding = TextEncoding()
    private var sample: [UInt8] = []
    /// Nil until the separator is known.
    private var reader: CSVReader?
    /// The cells of the first row.
    private var width: Int?
    private var skippedLines = 0
    /// Whether its numbers have decimal commas, as far as its beginning shows: then `1.234` may be a thousand.
    package private(set) var hasDecimalCommas = false

    package init() {}

    /// The rows that these bytes complete.
    package mutating func read(_ bytes: [UInt8]) throws(Unreadable) -> [CSVReader.Record] {
        let decoded = encoding.decode(bytes)
        if reader != nil { return try rows(decoded) }
        sample += decoded
        return sample.count < Self.sampleBytes ? [] : try begin()
    }

    /// The rest of the rows, at the end of the file.
    package mutating func finish() throws(Unreadable) -> [CSVReader.Record] {
        sample += encoding.finish()
        var found = reader == nil ? try begin() : try rows(sample)
        if let line = reader?.openQuote {
            throw Unreadable(message: tr("The quote that opens in line \(line + skippedLines) is never closed."))
        }
        if let last = reader?.end() { found += try kept([last]) }
        return found
    }

    private mutating func begin() throws(Unreadable) -> [CSVReader.Record] {
        if let refusal = FileFormat.refusal(of: sample) { throw Unreadable(message: refusal) }
        let separator = declaredSeparator() ?? Self.separator(of: sample)
        reader = CSVReader(separator: separator)
        hasDecimalCommas = Self.showsDecimalCommas(sample, separator)
        defer { sample = [] }
        return try rows(sample)
    }

    private mutating func rows(_ bytes: [UInt8]) throws(Unreadable) -> [CSVReader.Record] {
        let records: [CSVReader.Record]
        do throws(CSVReader.TooLong) {
            records = try reader?.read(bytes) ?? []
        } catch {
            let message = tr(
                "The record that begins in line \(error.line + skippedLines) is longer than 1 MiB. Check for an unclosed quote."
            )
            throw Unreadable(message: message)
        }
        return try kept(records)
    }

    /// The rows with text, without empty cells after the last column.
    private mutating func kept(_ records: [CSVReader.Record]) throws(Unreadable) -> [CSVReader.Record] {
        var kept: [CSVReader.Record] = []
        for record in records {
            let isBlank = record.cells.allSatisfy { $0.allSatisfy { $0 == 0x20 || $0 == 0x09 } }
            if isBlank { continue }
            let columns = width ?? record.trimmed(to: 0).cells.count
            if width == nil { try Self.checkNames(record.fields) }
            width = columns
            kept.append(record.trimmed(to: columns).moved(by: skippedLines))
        }
        return kept
    }

    /// Of two columns with one name, the values of one would be lost.
    private static func checkNames(_ names: [String]) throws(Unreadable) {
        var seen: Set<String> = []
        for name in names {
            let key = name.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
            if key.isEmpty || seen.insert(key).inserted { continue }
            throw Unreadable(message: tr("Two columns have the name \"\(key.prefix(40))\". Rename one of them."))
        }
    }

    /// The separator that a first line `sep=;` names, as spreadsheets write and read it; the line is taken away.
    private mutating func declaredSeparator() -> UInt8? {
        let text = sample.drop { [0xEF, 0xBB, 0xBF].contains($0) }
        let prefix = Array("sep=".utf8)
        guard text.prefix(4).map({ $0 | 0x20 }) == prefix.map({ $0 | 0x20 }), let separator = text.dropFirst(4).first
        else {
            return nil
        }
        let rest = text.dropFirst(5)
        guard let end = rest.first, end == 0x0A || end == 0x0D else { return nil }
        sample = Array(rest.dropFirst(rest.starts(with: [0x0D, 0x0A]) ? 2 : 1))
        skippedLines = 1
        return separator
    }

    /// The separator with which most rows have as many cells as the first; of several, the one with most cells.
    private static func separator(of sample: [UInt8]) -> UInt8 {
        var best: (separator: UInt8, rows: Int, cells: Int)?
        for separator in separators {
            var reader = CSVReader(separator: separator)
            var records = (try? reader.read(sample)) ?? []
            if records.count < sampleRows, reader.openQuote == nil, let last = reader.end() { records.append(last) }
            guard let cells = records.first?.trimmed(to: 0).cells.count, cells > 1 else { continue }
            let rows = records.prefix(sampleRows).count { $0.trimmed(to: cells).cells.count == cells }
            if let best, (best.rows, best.cells) >= (rows, cells) { continue }
            best = (separator, rows, cells)
        }
        return best?.separator ?? UInt8(ascii: ",")
    }

    /// Programs that write decimal commas separate cells by semicolons. If others do, their numbers have points.
    private static func showsDecimalCommas(_ sample: [UInt8], _ separator: UInt8) -> Bool {
        var reader = CSVReader(separator: separator)
        var rows = (try? reader.read(sample)) ?? []
        // The last row of a longer sample may be incomplete.
        if sample.count < sampleBytes, let last = reader.end() { rows.append(last) }
        let marks = rows.dropFirst().flatMap(\.cells).compactMap(DecimalNotation.init)
            .filter { !$0.mayDivideThousands }.compactMap(\.separator)
        let (hasComma, hasPoint) = (marks.contains(.comma), marks.contains(.point))
        return separator == UInt8(ascii: ";") ? hasComma || !hasPoint : hasComma && !hasPoint
    }
}

extension CSVReader.Record {
    fileprivate func moved(by lines: Int) -> CSVReader.Record {
        lines == 0 ? self : CSVReader.Record(line: line + lines, cells: cells)
    }
}
