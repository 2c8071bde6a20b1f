// Reads standard input, whole or line by line.
import Glibc

package enum StandardInput {
    package static func all() -> [UInt8] {
        var bytes: [UInt8] = []
        while let chunk = readChunk() { bytes += chunk }
        return bytes
    }

    /// Calls `body` with every line, without its line break. The last line may lack one.
    package static func lines(_ body: ([UInt8]) throws -> Void) rethrows {
        var rest: [UInt8] = []
        while let chunk = readChunk() {
            var start = chunk.startIndex
            while let end = chunk[start...].firstIndex(of: 0x0A) {
                try body(rest + chunk[start..<end])
                rest = []
                start = end + 1
            }
            rest += chunk[start...]
        }
        if !rest.isEmpty { try body(rest) }
    }

    private static func readChunk() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(ProcessContext.current.input, &buffer, buffer.count)
            if count > 0 { return Array(buffer[..<count]) }
            if count == 0 || errno != EINTR { return nil }
        }
    }
}
