// The format of a bundle: a header line, one line per record, and an end line with a count and checksum.
import Domain
import Platform

/// Reads a bundle piece by piece; nil at the end.
package typealias BundleChunks = @Sendable () throws -> [UInt8]?

/// Every line is a canonical JSON object with one member, named after the kind of line: `{"revision":{…}}`.
package enum BundleFormat {
    package static let version: Int64 = 1
    /// The longest accepted line, in bytes; the longest legitimate one is a media file in base64.
    static let maxLine = 128 << 20
    static let maxDepth = 128

    /// What a bundle contains.
    package enum Scope: String, Sendable {
        /// A whole deployment, for import into an empty database.
        case everything
        /// The current state of some entries, for another deployment that may have them already.
        case entries
    }

    static func line(_ name: String, _ value: JSONValue) -> [UInt8] {
        Array(JSONValue.object([name: value]).canonicalText.utf8) + [0x0A]
    }
}

/// Writes lines, counting records and hashing for the end line.
struct BundleWriter {
    private let write: @Sendable ([UInt8]) throws -> Void
    private var digest = SHA256Stream()
    private(set) var records: Int64 = 0

    /// An import needs these packs; nil if that depends on the records only.
    init(
        _ scope: BundleFormat.Scope, schema: String, packs: [String]? = nil,
        to write: @escaping @Sendable ([UInt8]) throws -> Void
    ) throws {
        self.write = write
        var header: [String: JSONValue] = [
            "version": .int(BundleFormat.version), "scope": .string(scope.rawValue), "schema": .string(schema),
        ]
        if let packs { header["packs"] = .array(packs.map { .string($0) }) }
        try put("vitrine_bundle", .object(header))
    }

    private mutating func put(_ name: String, _ value: JSONValue) throws {
        let line = BundleFormat.line(name, value)
        digest.add(line)
        try write(line)
    }

    mutating func record(_ name: String, _ value: JSONValue) throws {
        try put(name, value)
        records += 1
    }

    func end() throws {
        try write(BundleFormat.line("end", .object(["records": .int(records), "sha256": .string(digest.hex)])))
    }
}
