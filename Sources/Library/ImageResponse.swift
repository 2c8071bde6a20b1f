// Reads what the helper answers; its grammar stands in vitrine-media's main.c.
import Domain

/// The helper has decoded what a stranger sent, so its answer is checked like anything else that comes from outside.
struct ImageResponse {
    private let bytes: ArraySlice<UInt8>
    private let lines: [[Substring]]

    init(_ answer: [UInt8]) throws {
        var rest = answer[...]
        var lines: [[Substring]] = []
        while let end = rest.prefix(600).firstIndex(of: UInt8(ascii: "\n")), lines.count < 32 {
            let line = String(decoding: rest[..<end], as: UTF8.self)
            rest = rest[(end + 1)...]
            if line.isEmpty { break }
            lines.append(lines.first?.first == "refused" ? [line[...]] : line.split(separator: " "))
        }
        bytes = rest
        self.lines = lines
    }

    func files() throws -> ImageFiles {
        guard let first = lines.first, first.count == 2 else { throw Self.unreadable }
        if first[0] == "refused" {
            throw ImageProcessor.refusal(String(first[1]), lines.count > 1 ? String(lines[1][0]) : "It is refused.")
        }
        guard first[0] == "image", ["image/jpeg", "image/png"].contains(first[1]) else { throw Self.unreadable }
        var rest = bytes
        let files = try lines.dropFirst().map { words in
            let numbers = words.dropFirst().compactMap { Int($0) }
            guard words.first == "file", numbers.count == 3, numbers.allSatisfy({ $0 > 0 }), rest.count >= numbers[2]
            else { throw Self.unreadable }
            defer { rest = rest.dropFirst(numbers[2]) }
            return ImageFiles.File(width: numbers[0], height: numbers[1], bytes: Array(rest.prefix(numbers[2])))
        }
        guard !files.isEmpty, rest.isEmpty else { throw Self.unreadable }
        return ImageFiles(type: String(first[1]), files: files)
    }

    private static let unreadable = ImageProcessor.refusal("damaged", "This image could not be read.")
}
