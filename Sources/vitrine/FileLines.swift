// The lines of a file, one after the other, however large it is.

struct FileLines: AsyncSequence, Sendable {
    private let pieces: FilePieces

    init(_ pieces: FilePieces) {
        self.pieces = pieces
    }

    func makeAsyncIterator() -> Iterator { Iterator(pieces: pieces) }

    struct Iterator: AsyncIteratorProtocol {
        let pieces: FilePieces
        private var rest: ArraySlice<UInt8> = []
        private var isAtEnd = false

        init(pieces: FilePieces) {
            self.pieces = pieces
        }

        mutating func next() async throws -> String? {
            while true {
                if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    let line = String(decoding: rest[..<end], as: UTF8.self)
                    rest = rest[(end + 1)...]
                    if !line.isEmpty { return line }
                } else if isAtEnd {
                    guard !rest.isEmpty else { return nil }
                    defer { rest = [] }
                    return String(decoding: rest, as: UTF8.self)
                } else if let piece = try pieces.next() {
                    rest = ArraySlice(Array(rest) + piece)
                } else {
                    isAtEnd = true
                }
            }
        }
    }
}
