// Storage of image files in a folder or a bucket. Names are the hash of the content, so a file never changes.
import FoundationEssentials
import Localization
import Platform

/// A path relative to the base URL, such as `3f/9a….jpg`: 2 and 62 digits of the content's SHA-256, and the type.
package struct MediaPath: Sendable, Hashable {
    package let text: String

    package init(of bytes: [UInt8], type: String) {
        let sum = SHA256.hex(bytes)
        text = "\(sum.prefix(2))/\(sum.dropFirst(2)).\(type == "image/png" ? "png" : "jpg")"
    }

    /// Nil for any other text, so a path can't escape the storage.
    package init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count == 69, bytes[2] == UInt8(ascii: "/"), bytes[65] == UInt8(ascii: ".") else { return nil }
        let digits = bytes[..<2] + bytes[3..<65]
        guard digits.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }),
            ["jpg", "png"].contains(String(decoding: bytes[66...], as: UTF8.self))
        else { return nil }
        self.text = String(text)
    }

    package var type: String { text.hasSuffix("png") ? "image/png" : "image/jpeg" }
    package var sha256: String { "\(text.prefix(2))\(text.dropFirst(3).prefix(62))" }
    var folder: String { String(text.prefix(2)) }
    var name: String { String(text.dropFirst(3)) }
}

/// The content of a file: a path on disk or the bytes.
package enum MediaContent: Sendable {
    case file(path: String, size: Int)
    case bytes([UInt8])
}

package protocol MediaFiles: Sendable {
    /// Returns when the file is durable. Putting an existing file resets its age.
    func put(_ bytes: [UInt8], at path: MediaPath) async throws
    /// Nil when the file does not exist.
    func content(_ path: MediaPath) async throws -> MediaContent?
    func size(_ path: MediaPath) async throws -> Int?
    func remove(_ path: MediaPath) async throws
    /// The next files by name after `last`, with their age, and whether they are the last ones. Foreign files are
    /// skipped.
    func list(after last: MediaPath?) async throws -> (files: [(path: MediaPath, age: Duration)], isAll: Bool)
    /// The folder or bucket, for messages to the operator.
    var location: String { get }
    /// Why this process must not use the store, as a sentence for the operator.
    func problem() -> String?
    /// Why there is no store yet. Only a daemon creates one, so that it belongs to the daemon's user.
    func missing() -> String?
    /// The id of the store; nil for a store without one.
    func identity() async throws -> String?
    /// Gives a store without an id this one. In a folder the first of several callers wins.
    func addIdentity(_ id: String) async throws
}

/// The id of a media store: 32 hexadecimal digits in a file of its own, so that copies of the store keep it.
enum MediaStoreID {
    static let name = "store-id"

    static func make() -> String { Hex.text(SecureRandom.bytes(16)) }

    /// More than its file has.
    static let maximumBytes = 64

    /// The id that the content of the file is. The error for other content does not quote it: with write access to the store
    /// the file could be linked to one that only this process can read.
    static func read(_ bytes: [UInt8], of location: String) throws(ConfigurationError) -> String {
        let line = bytes.last == 0x0A ? bytes.dropLast() : bytes[...]
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard line.count == 32, line.allSatisfy({ digits ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0 }) else {
            throw unreadable(location)
        }
        return String(decoding: line, as: UTF8.self)
    }

    static func unreadable(_ location: String) -> ConfigurationError {
        ConfigurationError(problems: [
            tr("The file \(name) of \(location) isn't an id of a media store. Restore it from a backup, or remove it.")
        ])
    }
}

extension MediaFiles {
    /// The whole file; nil when it does not exist.
    package func bytes(_ path: MediaPath) async throws -> [UInt8]? {
        switch try await content(path) {
        case nil: nil
        case .bytes(let bytes): bytes
        case .file(let path, _): FileManager.default.contents(atPath: path).map { [UInt8]($0) }
        }
    }
}
