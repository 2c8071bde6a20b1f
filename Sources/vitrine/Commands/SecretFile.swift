// Writes files that only their owner may read (S53).
import Glibc

enum SecretFile {
    struct Unwritable: Error, CustomStringConvertible {
        let path: String
        var description: String { "\(path) can't be written: \(String(cString: strerror(errno)))." }
    }

    static func write(_ bytes: [UInt8], to path: String) throws {
        unlink(path)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Unwritable(path: path) }
        defer { close(descriptor) }
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else { throw Unwritable(path: path) }
    }
}
