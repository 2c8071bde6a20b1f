// Reads a bundle line by line: verifies header and end, and reports errors with their line numbers.
import Domain
import Localization
import Platform

struct BundleReader {
    struct Header: Sendable {
        let scope: BundleFormat.Scope
        /// The newest migration of the source database.
        let schema: String
        /// The packs that the source database had enabled.
        let packs: [String]
    }

    struct Record: Sendable {
        /// Its location in messages, such as `line 7`.
        let location: String
        let name: String
        var members: [String: JSONValue]
    }

    private let chunks: BundleChunks
    private var rest: ArraySlice<UInt8> = []
    /// How many bytes of `rest` are known to contain no line ending.
    private var searched = 0
    private var isAtEnd = false
    private var number = 0
    private var digest = SHA256Stream()
    private var records: Int64 = 0

    init(_ chunks: @escaping BundleChunks) {
        self.chunks = chunks
    }

    /// An error in a line; `field` is a JSON pointer within it.
    static func error(_ line: Int, _ field: String, _ code: String, _ message: String) -> Failure {
        error("line \(line)", field, code, message)
    }

    static func error(_ location: String, _ field: String, _ code: String, _ message: String) -> Failure {
        .invalid(FieldErrors("\(location)\(field.isEmpty ? "" : " \(field)")", code, "\(message) (\(code))"))
    }

    mutating func header() throws -> Header {
        guard let bytes = try nextLine(), let (name, header) = try? parsed(bytes), name == "vitrine_bundle" else {
            throw Self.error(
                1, "", "header", tr("This file is not a bundle: it doesn't start with a vitrine_bundle header."))
        }
        guard header["version"]?.integerValue == BundleFormat.version else {
            throw Self.error(
                1, "/vitrine_bundle/version", "version",
                tr("Only bundles of version \(BundleFormat.version) are supported."))
        }
        guard let scope = header["scope"]?.stringValue.flatMap(BundleFormat.Scope.init(rawValue:)) else {
            throw Self.error(1, "/vitrine_bundle/scope", "choice", tr("The scope is neither everything nor entries."))
        }
        guard let schema = header["schema"]?.stringValue else {
            throw Self.error(1, "/vitrine_bundle/schema", "required", tr("The schema is missing."))
        }
        let packs = (header["packs"]?.arrayValue ?? []).compactMap(\.stringValue)
        digest.add(bytes + [0x0A])
        return Header(scope: scope, schema: schema, packs: packs)
    }

    /// The next record, or nil after an end line that matches the records read.
    mutating func next() throws -> Record? {
        guard let bytes = try nextLine() else {
            throw Self.error(number + 1, "", "truncated", tr("The file is truncated; nothing was imported."))
        }
        let (name, members) = try parsed(bytes)
        if name == "end" {
            try verify(members)
            return nil
        }
        digest.add(bytes + [0x0A])
        records += 1
        return Record(location: "line \(number)", name: name, members: members)
    }

    private mutating func verify(_ end: [String: JSONValue]) throws {
        guard end["records"]?.integerValue == records else {
            throw Self.error(
                number, "/end/records", "truncated",
                tr("The bundle has \(end["records"]?.integerValue ?? 0) records, but \(records) were read."))
        }
        guard end["sha256"]?.stringValue == digest.hex else {
            throw Self.error(
                number, "/end/sha256", "digest", tr("The bundle was changed after the export: its SHA-256 differs."))
        }
        if let more = try nextLine(), !more.isEmpty {
            throw Self.error(number, "", "unexpected", tr("There is data after the end line."))
        }
    }

    private func parsed(_ bytes: [UInt8]) throws -> (String, [String: JSONValue]) {
        let value = try document(bytes)
        guard let object = value.objectValue, object.count == 1, let member = object.first,
            let members = member.value.objectValue
        else {
            throw Self.error(number, "", "type", tr("Each line must be an object with one member, which is an object."))
        }
        return (member.key, members)
    }

    private func document(_ bytes: [UInt8]) throws -> JSONValue {
        do throws(Failure) {
            return try JSONValue(parsing: bytes, maxDepth: BundleFormat.maxDepth)
        } catch {
            guard case .invalid(let errors) = error, let first = errors.items.first else { throw error as any Error }
            throw Self.error(number, first.pointer, first.code, first.message)
        }
    }

    /// A line without its line ending; nil at the end of the file. A last line without a line ending is an error.
    private mutating func nextLine() throws -> [UInt8]? {
        while true {
            if let line = popLine() { return line }
            if isAtEnd {
                if rest.isEmpty { return nil }
                throw Self.error(
                    number + 1, "", "truncated", tr("The file is truncated in this line; nothing was imported."))
            }
            if rest.count > BundleFormat.maxLine {
                throw Self.error(number + 1, "", "too_long", tr("This line is too long."))
            }
            try read()
        }
    }

    private mutating func popLine() -> [UInt8]? {
        guard let end = rest[(rest.startIndex + searched)...].firstIndex(of: 0x0A) else {
            searched = rest.count
            return nil
        }
        let line = Array(rest[..<end])
        rest = rest[(end + 1)...]
        searched = 0
        number += 1
        return line
    }

    private mutating func read() throws {
        guard let chunk = try chunks() else {
            isAtEnd = true
            return
        }
        // A new array, so that the memory of read lines is released.
        rest = ArraySlice(Array(rest) + chunk)
    }
}
