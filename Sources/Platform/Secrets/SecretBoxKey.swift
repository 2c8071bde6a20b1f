// Loads the key that encrypts stored secrets from the configuration or a generated file.
import FoundationEssentials
import Glibc

package struct SecretBoxKey: Sendable {
    /// A sentence for the operator.
    package struct InvalidKey: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) {
            self.description = description
        }
    }

    private let given: Secret?
    private let path: String

    /// `given` takes precedence over the file at `path`; both contain 32 bytes in base64.
    package init(given: Secret?, path: String) {
        self.given = given
        self.path = path
    }

    /// Whether there is neither a configured key nor a file.
    package var isMissing: Bool { given == nil && access(path, F_OK) != 0 && errno == ENOENT }

    /// Throws `InvalidKey` if the key is missing, unreadable or malformed.
    package func box() throws -> SecretBox {
        if let given { return try Self.box(given.reveal(), "webhooks.key") }
        if isMissing {
            throw InvalidKey(
                description: "\(path) doesn't exist. Copy it from a backup or from another daemon, or set webhooks.key."
            )
        }
        guard let text = read() else {
            let owner = FolderOwner.problem(with: path) ?? "Check its permissions."
            throw InvalidKey(description: "\(path) can't be read. \(owner)")
        }
        return try Self.box(text, path)
    }

    private static func box(_ text: String, _ origin: String) throws -> SecretBox {
        let line = String(text.prefix { !$0.isNewline })
        guard let key = Base64.decode(line), let box = SecretBox(key: key) else {
            throw InvalidKey(
                description: "\(origin) must be 32 bytes in base64. Create a key with \"openssl rand -base64 32\".")
        }
        return box
    }

    private func read() -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }

    private var folder: String { path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "." }

    /// Writes a temporary file and links it to the path, so that two daemons that start at once share one complete key.
    /// Only this user may read it, so the folder must be this user's. Does nothing if the file exists.
    package func create() throws {
        if let problem = FolderOwner.problem(with: folder) { throw InvalidKey(description: problem) }
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

    private func unwritable() -> InvalidKey {
        InvalidKey(description: "\(path) can't be written: \(String(cString: strerror(errno))).")
    }
}
