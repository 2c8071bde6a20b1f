// The key that seals stored secrets: given by the configuration, or kept in a file that is made when it is first needed.
import FoundationEssentials
import Glibc

package struct SecretBoxKey: Sendable {
    /// A sentence for the operator.
    package struct Unusable: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) {
            self.description = description
        }
    }

    private let given: Secret?
    private let path: String

    /// `given` wins over the file at `path`; both hold 32 bytes in base64.
    package init(given: Secret?, path: String) {
        self.given = given
        self.path = path
    }

    package func box() throws -> SecretBox {
        if let given { return try Self.box(given.reveal(), "webhooks.key") }
        if let text = read() { return try Self.box(text, path) }
        try make()
        guard let text = read() else { throw Unusable(description: "\(path) cannot be read.") }
        return try Self.box(text, path)
    }

    private static func box(_ text: String, _ place: String) throws -> SecretBox {
        let line = String(text.prefix { !$0.isNewline })
        guard let key = Base64.decode(line), let box = SecretBox(key: key) else {
            throw Unusable(
                description: "\(place) must hold 32 bytes in base64; \"openssl rand -base64 32\" makes some.")
        }
        return box
    }

    private func read() -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Written beside its place and then linked to it, so that of two daemons that start at once one makes the key and
    /// both read it whole.
    private func make() throws {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let draft = "\(path).\(getpid())"
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw unwritable() }
        defer { unlink(draft) }
        let text = Array((Base64.encode(SecureRandom.bytes(SecretBox.keyLength)) + "\n").utf8)
        let isWritten = write(descriptor, text, text.count) == text.count && fsync(descriptor) == 0
        close(descriptor)
        guard isWritten, link(draft, path) == 0 || errno == EEXIST else { throw unwritable() }
    }

    private func unwritable() -> Unusable {
        Unusable(description: "\(path) cannot be written: \(String(cString: strerror(errno))).")
    }
}
