// Hands out a file piece by piece, so that its size does not matter.
import Domain
import Glibc
import Synchronization

final class FilePieces: Sendable {
    private static let size = 1 << 18
    private let descriptor: Int32
    private let path: String

    /// `-` is standard input.
    init(_ path: String) throws(Failure) {
        self.path = path
        descriptor = path == "-" ? dup(0) : open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 { throw .missing("file: \(path) cannot be read") }
    }

    deinit { close(descriptor) }

    /// Nil at the end.
    func next() throws -> [UInt8]? {
        while true {
            var count = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: Self.size) { buffer, filled in
                count = read(descriptor, buffer.baseAddress, buffer.count)
                filled = max(count, 0)
            }
            if count > 0 { return bytes }
            if count == 0 { return nil }
            if errno != EINTR { throw Failure.missing("file: \(path) cannot be read") }
        }
    }
}
