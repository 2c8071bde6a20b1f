// Reads the records of a file chunk by chunk, in any of the supported formats.
import Domain
import Markup
import Operations

/// A JSON document begins with a bracket; anything else is a table. At most one chunk of the file is in memory.
package struct RecordReader {
    private enum Format {
        case table(DelimitedReader)
        case objects(ObjectReader)
    }

    private let chunk: () throws -> [UInt8]
    private var encoding = TextEncoding()
    private var isRead = false
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
            let bytes = try format == nil ? beginning() : piece()
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

    /// The next bytes of the file in UTF-8; empty at its end.
    private mutating func piece() throws -> [UInt8] {
        while !isRead {
            let bytes = try chunk()
            isRead = bytes.isEmpty
            let decoded = isRead ? encoding.finish() : encoding.decode(bytes)
            if !decoded.isEmpty { return decoded }
        }
        return []
    }

    /// The first bytes of the file, up to one that shows its format.
    private mutating func beginning() throws -> [UInt8] {
        var bytes = try piece()
        while bytes.count < 4096, bytes.allSatisfy(FileFormat.blanks.contains), case let more = try piece(),
            !more.isEmpty
        {
            bytes += more
        }
        return bytes
    }

    private static func format(of bytes: [UInt8]) throws(Failure) -> Format {
        if let refusal = FileFormat.refusal(of: bytes) { throw .refused(code: "malformed", message: refusal) }
        let first = bytes.first { !FileFormat.blanks.contains($0) }
        let isJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        return isJSON ? .objects(ObjectReader()) : .table(DelimitedReader())
    }
}
