// Parses the helper's output; the format is documented in vitrine-media's main.c.
import Domain
import Localization

/// The helper has decoded untrusted data, so its output is validated like any external input.
struct ImageResponse {
    private let bytes: ArraySlice<UInt8>
    private let lines: [[Substring]]

    init(_ output: [UInt8]) throws {
        var rest = output[...]
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
            throw ImageProcessor.refusal(
                String(first[1]), lines.count > 1 ? String(lines[1][0]) : tr("The image was refused."))
        }
        guard first[0] == "image", ["image/jpeg", "image/png"].contains(first[1]) else { throw Self.unreadable }
        var rest = bytes
        let files = try lines.dropFirst().map { parts in
            let numbers = parts.dropFirst().compactMap { Int($0) }
            guard parts.first == "file", numbers.count == 3, numbers.allSatisfy({ $0 > 0 }), rest.count >= numbers[2]
            else { throw Self.unreadable }
            defer { rest = rest.dropFirst(numbers[2]) }
            return ImageFiles.File(width: numbers[0], height: numbers[1], bytes: Array(rest.prefix(numbers[2])))
        }
        guard !files.isEmpty, rest.isEmpty else { throw Self.unreadable }
        return ImageFiles(type: String(first[1]), files: files)
    }

    static var unreadable: Failure {
        ImageProcessor.refusal("damaged", tr("The image can't be read. Save it again and upload it."))
    }
}
