// Reads a file or URL in chunks, so that its size does not matter.
import Domain
import Fetch
import Glibc
import Synchronization

package final class FileChunks: Sendable {
    private static let size = 1 << 18
    private let descriptor: Int32
    private let path: String
    /// Fetched bytes that were not returned yet.
    private let fetched: Mutex<[UInt8]?>

    /// `-` is standard input.
    package init(_ path: String) throws(Failure) {
        self.path = path
        fetched = Mutex(nil)
        descriptor = path == "-" ? dup(ProcessContext.current.input) : Glibc.open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 { throw .unreadable(path) }
    }

    /// These bytes, instead of those of the file.
    package init(_ path: String, bytes: [UInt8]) {
        self.path = path
        fetched = Mutex(bytes)
        descriptor = -1
    }

    /// An open file, which is closed with this.
    init(_ path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
        fetched = Mutex(nil)
    }

    /// A file that can be read several times: what is piped in is copied to a temporary file first.
    package static func rereadable(_ path: String) throws -> FileChunks {
        let chunks = try FileChunks(path)
        if lseek(chunks.descriptor, 0, SEEK_CUR) >= 0 { return chunks }
        guard let copy = tmpfile() else { throw uncopied() }
        defer { fclose(copy) }
        while let bytes = try chunks.next() {
            guard fwrite(bytes, 1, bytes.count, copy) == bytes.count else { throw uncopied() }
        }
        guard fflush(copy) == 0 else { throw uncopied() }
        return FileChunks(path, descriptor: dup(fileno(copy)))
    }

    /// By `errno`.
    private static func uncopied() -> Failure {
        let reason = String(cString: strerror(errno))
        return .refused(code: "unwritable", message: "What is piped in can't be copied to /tmp: \(reason).")
    }

    /// Continues at the beginning.
    package func rewind() throws {
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw Failure.unreadable(path) }
    }

    /// Opens a file, or fetches a URL first. URLs must be on the public internet, as for webhooks.
    package static func open(_ path: String) async throws -> FileChunks {
        guard path.hasPrefix("https://") || path.hasPrefix("http://") else { return try FileChunks(path) }
        do {
            let client = FetchClient(policy: FetchPolicy(), threads: 1)
            return FileChunks(path, bytes: try await client.file(at: path))
        } catch let refusal as FetchRefusal {
            throw Failure.refused(code: "url", message: refusal.description)
        } catch let failure as FetchFailure {
            throw Failure.refused(code: "unreachable", message: "\(path): \(failure.description)")
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Nil at the end of the file.
    package func next() throws -> [UInt8]? {
        if descriptor < 0 {
            return fetched.withLock { fetched in
                defer { fetched = nil }
                return fetched
            }
        }
        while true {
            var count = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: Self.size) { buffer, filled in
                count = read(descriptor, buffer.baseAddress, buffer.count)
                filled = max(count, 0)
            }
            if count > 0 { return bytes }
            if count == 0 { return nil }
            if errno != EINTR { throw Failure.unreadable(path) }
        }
    }
}
