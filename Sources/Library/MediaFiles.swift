// Where the files of images are kept: a folder, or a bucket. Names are the hash of the content, so a file never changes.
import FoundationEssentials
import Platform

/// A place below the base address, such as `3f/9a….jpg`: two digits, the other 62 of the content's SHA-256, the kind.
package struct MediaPath: Sendable, Hashable {
    package let text: String

    package init(of bytes: [UInt8], type: String) {
        let sum = SHA256.hex(bytes)
        text = "\(sum.prefix(2))/\(sum.dropFirst(2)).\(type == "image/png" ? "png" : "jpg")"
    }

    /// Nil for anything else than such a place: what it lets through can lead nowhere else.
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

/// What a request for a file is answered with.
package enum MediaContent: Sendable {
    case file(path: String, size: Int)
    case bytes([UInt8])
}

package protocol MediaFiles: Sendable {
    /// Returns when the file will outlive a power cut. Putting a file that is there makes it young again.
    func put(_ bytes: [UInt8], at path: MediaPath) async throws
    /// Nil when it is not there.
    func content(_ path: MediaPath) async throws -> MediaContent?
    func size(_ path: MediaPath) async throws -> Int?
    func remove(_ path: MediaPath) async throws
    /// The next files by name after `last`, with their age, and whether that is all; others than ours are left out.
    func list(after last: MediaPath?) async throws -> (files: [(path: MediaPath, age: Duration)], isAll: Bool)
}

extension MediaFiles {
    /// A whole file; nil when it is not there.
    package func bytes(_ path: MediaPath) async throws -> [UInt8]? {
        switch try await content(path) {
        case nil: nil
        case .bytes(let bytes): bytes
        case .file(let place, _): FileManager.default.contents(atPath: place).map { [UInt8]($0) }
        }
    }
}
