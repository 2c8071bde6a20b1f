// Reads standard input: all of it, or line by line.
import Glibc

enum StandardInput {
    static func all() -> [UInt8] {
        var bytes: [UInt8] = []
        while let part = readPart() { bytes += part }
        return bytes
    }

    /// Calls `body` with every line, without its end; a last line needs none.
    static func lines(_ body: ([UInt8]) throws -> Void) rethrows {
        var rest: [UInt8] = []
        while let part = readPart() {
            var start = part.startIndex
            while let end = part[start...].firstIndex(of: 0x0A) {
                try body(rest + part[start..<end])
                rest = []
                start = end + 1
            }
            rest += part[start...]
        }
        if !rest.isEmpty { try body(rest) }
    }

    private static func readPart() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(STDIN_FILENO, &buffer, buffer.count)
            if count > 0 { return Array(buffer[..<count]) }
            if count == 0 || errno != EINTR { return nil }
        }
    }
}
