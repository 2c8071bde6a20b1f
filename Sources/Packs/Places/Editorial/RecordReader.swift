// Reads the records of a file chunk by chunk, in any of the supported formats.
import Domain
import Editorial
import Localization

/// A JSON document begins with a bracket; anything else is a table. At most one chunk of the file is in memory.
package struct RecordReader {
    private enum Format {
        case table(DelimitedReader)
        case objects(ObjectReader)
    }

    private let chunk: () throws -> [UInt8]
    private var format: Format?
    private var pending: [ImportRecord] = []
    private var isAtEnd = false

    /// `chunk` returns the next bytes of the file, empty at its end.
    package init(_ chunk: @escaping () throws -> [UInt8]) {
        self.chunk = chunk
    }

    package init(_ bytes: [UInt8]) {
        var rest = bytes[...]
        self.init {
            defer { rest = rest.dropFirst(1 << 16) }
            return Array(rest.prefix(1 << 16))
        }
    }

    /// At most `count` records; empty at the end.
    package mutating func next(_ count: Int) throws -> [ImportRecord] {
        while pending.count < count, !isAtEnd {
            let bytes = try format == nil ? beginning() : chunk()
            isAtEnd = bytes.isEmpty
            var format = try self.format ?? Self.format(of: bytes)
            switch format {
            case .table(var reader):
                pending += try isAtEnd ? reader.finish() : reader.read(bytes)
                format = .table(reader)
            case .objects(var reader):
                pending += try isAtEnd ? reader.finish() : reader.read(bytes)
                format = .objects(reader)
            }
            self.format = format
        }
        defer { pending.removeFirst(min(count, pending.count)) }
        return Array(pending.prefix(count))
    }

    /// The first bytes of the file, up to one that shows its format.
    private func beginning() throws -> [UInt8] {
        var bytes = try chunk()
        while bytes.count < 4096, bytes.allSatisfy(Self.skipped.contains), case let more = try chunk(), !more.isEmpty {
            bytes += more
        }
        return bytes
    }

    /// A byte order mark, white space, and the record separator of RFC 8142.
    private static let skipped: Set<UInt8> = [0xEF, 0xBB, 0xBF, 0x20, 0x09, 0x0A, 0x0D, 0x1E]

    private static func format(of bytes: [UInt8]) throws(Failure) -> Format {
        // A byte order mark of UTF-16, or a zero byte, which no text in UTF-8 has.
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) || bytes.prefix(4).contains(0) {
            throw .refused(code: "encoding", message: tr("The file is UTF-16. Save it as UTF-8."))
        }
        let first = bytes.first { !skipped.contains($0) }
        let isJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        return isJSON ? .objects(ObjectReader()) : .table(DelimitedReader())
    }
}
