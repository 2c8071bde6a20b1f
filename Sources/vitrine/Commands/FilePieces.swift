// Hands out a file piece by piece, so that its size does not matter.
import Domain
import Fetch
import Glibc
import Synchronization

final class FilePieces: Sendable {
    private static let size = 1 << 18
    private let descriptor: Int32
    private let path: String
    /// What was fetched and not yet handed out.
    private let fetched: Mutex<[UInt8]?>

    /// `-` is standard input.
    init(_ path: String) throws(Failure) {
        self.path = path
        fetched = Mutex(nil)
        descriptor = path == "-" ? dup(0) : Glibc.open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 { throw .missing("file: \(path) cannot be read") }
    }

    private init(_ path: String, fetched bytes: [UInt8]) {
        self.path = path
        fetched = Mutex(bytes)
        descriptor = -1
    }

    /// Also of an address that begins with `https://`: of the public internet, as webhooks are, and fetched before.
    static func open(_ path: String) async throws -> FilePieces {
        guard path.hasPrefix("https://") || path.hasPrefix("http://") else { return try FilePieces(path) }
        do {
            let client = FetchClient(policy: FetchPolicy(), threads: 1)
            return FilePieces(path, fetched: try await client.file(at: path))
        } catch let refusal as FetchRefusal {
            throw Failure.refused(code: "address", message: refusal.description)
        } catch let failure as FetchFailure {
            throw Failure.refused(code: "unanswered", message: "\(path): \(failure.description)")
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Nil at the end.
    func next() throws -> [UInt8]? {
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
            if errno != EINTR { throw Failure.missing("file: \(path) cannot be read") }
        }
    }
}
