// Writes a file atomically: it appears under its name only when it is complete.
import Domain
import Glibc
import Synchronization

package final class FileOutput: Sendable {
    private static let bufferSize = 1 << 18
    private let descriptor: Int32
    /// Nil for standard output.
    private let path: String?
    /// Beside the file, and its own: of two outputs to one path, the last that is complete remains, whole.
    private let draft: String
    private let buffer = Mutex<[UInt8]>([])
    private let isFinished = Atomic<Bool>(false)

    package init(_ path: String?) throws(Failure) {
        self.path = path
        draft = "\(path ?? "").\(String(UInt64.random(in: 0 ... .max), radix: 36)).part"
        descriptor =
            path == nil
            ? dup(ProcessContext.current.output) : open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor < 0 { throw failure }
    }

    /// What is not complete would only take space, of which there may be none left.
    deinit {
        if descriptor < 0 { return }
        close(descriptor)
        if path != nil, !isFinished.load(ordering: .relaxed) { unlink(draft) }
    }

    package func write(_ bytes: [UInt8]) throws {
        try buffer.withLock { buffer in
            buffer += bytes
            if buffer.count >= Self.bufferSize { try flush(&buffer) }
        }
    }

    /// Writes the rest of the buffer and renames the file once the disk has it.
    package func finish() throws {
        try buffer.withLock { try flush(&$0) }
        guard let path else { return }
        guard fsync(descriptor) == 0, rename(draft, path) == 0 else { throw failure }
        isFinished.store(true, ordering: .relaxed)
    }

    private var failure: Failure {
        .refused(
            code: "unwritable",
            message: "\(path ?? "Standard output") can't be written: \(String(cString: strerror(errno))).")
    }

    private func flush(_ buffer: inout [UInt8]) throws {
        var rest = buffer[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno != EINTR { throw failure }
            if count > 0 { rest = rest.dropFirst(count) }
        }
        buffer.removeAll(keepingCapacity: true)
    }
}
