// A media file as a record of a bundle: its content-addressed path and its bytes.
import Domain
import Localization
import Platform

package struct BundleFile: Sendable {
    package let path: String
    package let bytes: [UInt8]

    var sha256: String { "\(path.prefix(2))\(path.dropFirst(3).prefix(62))" }

    init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }

    var value: JSONValue {
        .object(["path": .string(path), "base64": .string(Base64.encode(bytes, .standard))])
    }

    init(_ record: BundleReader.Record) throws {
        guard let path = record.members["path"]?.stringValue else {
            throw BundleReader.error(record.location, "/file/path", "required", tr("The path is missing."))
        }
        guard let bytes = record.members["base64"]?.stringValue.flatMap({ Base64.decode($0, .standard) }) else {
            throw BundleReader.error(record.location, "/file/base64", "format", tr("This is not base64."))
        }
        let sum = SHA256.hex(bytes)
        let name = "\(sum.prefix(2))/\(sum.dropFirst(2))"
        guard ["\(name).jpg", "\(name).png"].contains(path) else {
            throw BundleReader.error(
                record.location, "/file/base64", "digest", tr("The content doesn't match the hash in its path."))
        }
        self.path = path
        self.bytes = bytes
    }
}
