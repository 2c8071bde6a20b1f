// Gives the records of a file piece by piece, whichever of the known forms it has.
import Domain

/// A JSON document begins with a bracket; anything else is a table. Holds no more of the file than one piece.
package struct RecordReader {
    private enum Form {
        case table(DelimitedReader)
        case objects(ObjectReader)
    }

    private let piece: () throws -> [UInt8]
    private var form: Form?
    private var waiting: [ImportRecord] = []
    private var isOver = false

    /// `piece` gives the next bytes of the file; none at its end.
    package init(_ piece: @escaping () throws -> [UInt8]) {
        self.piece = piece
    }

    package init(_ bytes: [UInt8]) {
        var rest = bytes[...]
        self.init {
            defer { rest = rest.dropFirst(1 << 16) }
            return Array(rest.prefix(1 << 16))
        }
    }

    /// At most `count` records; none at the end.
    package mutating func next(_ count: Int) throws -> [ImportRecord] {
        while waiting.count < count, !isOver {
            let bytes = try piece()
            isOver = bytes.isEmpty
            var form = self.form ?? Self.form(of: bytes)
            switch form {
            case .table(var reader):
                waiting += try isOver ? reader.finish() : reader.read(bytes)
                form = .table(reader)
            case .objects(var reader):
                waiting += try isOver ? reader.finish() : reader.read(bytes)
                form = .objects(reader)
            }
            self.form = form
        }
        defer { waiting.removeFirst(min(count, waiting.count)) }
        return Array(waiting.prefix(count))
    }

    private static func form(of bytes: [UInt8]) -> Form {
        let marks: [UInt8] = [0xEF, 0xBB, 0xBF, 0x20, 0x09, 0x0A, 0x0D]
        let first = bytes.first { !marks.contains($0) }
        let isJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        return isJSON ? .objects(ObjectReader()) : .table(DelimitedReader())
    }
}
