// Reads a file of any size line by line.

package struct FileLines: AsyncSequence, Sendable {
    private let chunks: FileChunks

    package init(_ chunks: FileChunks) {
        self.chunks = chunks
    }

    package func makeAsyncIterator() -> Iterator { Iterator(chunks: chunks) }

    package struct Iterator: AsyncIteratorProtocol {
        let chunks: FileChunks
        private var rest: ArraySlice<UInt8> = []
        private var isAtEnd = false

        init(chunks: FileChunks) {
            self.chunks = chunks
        }

        package mutating func next() async throws -> String? {
            while true {
                if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    let line = String(decoding: rest[..<end], as: UTF8.self)
                    rest = rest[(end + 1)...]
                    if !line.isEmpty { return line }
                } else if isAtEnd {
                    guard !rest.isEmpty else { return nil }
                    defer { rest = [] }
                    return String(decoding: rest, as: UTF8.self)
                } else if let chunk = try chunks.next() {
                    rest = ArraySlice(Array(rest) + chunk)
                } else {
                    isAtEnd = true
                }
            }
        }
    }
}
