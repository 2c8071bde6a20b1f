// Reads a bundle line by line: numbers the lines, proves header and end, and says where something is wrong.
import Domain
import Platform

struct BundleReader {
    struct Header: Sendable {
        let scope: BundleFormat.Scope
        /// The newest migration of the database that it comes from.
        let schema: String
    }

    struct Record: Sendable {
        let line: Int
        let name: String
        let members: [String: JSONValue]
    }

    private let pieces: @Sendable () throws -> [UInt8]?
    private var rest: ArraySlice<UInt8> = []
    /// How much of `rest` is known to hold no end of a line.
    private var searched = 0
    private var isOver = false
    private var number = 0
    private var digest = SHA256Stream()
    private var records: Int64 = 0

    init(_ pieces: @escaping @Sendable () throws -> [UInt8]?) {
        self.pieces = pieces
    }

    /// What is wrong with a line; `field` is a path below it.
    static func fault(_ line: Int, _ field: String, _ code: String, _ message: String) -> Failure {
        .invalid(FieldErrors("line \(line)\(field.isEmpty ? "" : " \(field)")", code, "\(message) (\(code))"))
    }

    mutating func header() throws -> Header {
        guard let bytes = try nextLine(), let (name, header) = try? parsed(bytes), name == "vitrine_bundle" else {
            throw Self.fault(1, "", "header", "This is no bundle: its first line is not a vitrine_bundle header.")
        }
        guard header["version"]?.integerValue == BundleFormat.version else {
            throw Self.fault(
                1, "/vitrine_bundle/version", "version",
                "This program reads bundles of version \(BundleFormat.version) only.")
        }
        guard let scope = header["scope"]?.stringValue.flatMap(BundleFormat.Scope.init(rawValue:)) else {
            throw Self.fault(1, "/vitrine_bundle/scope", "choice", "A bundle is of everything or of entries.")
        }
        guard let schema = header["schema"]?.stringValue else {
            throw Self.fault(1, "/vitrine_bundle/schema", "required", "The header does not name its schema.")
        }
        digest.add(bytes + [0x0A])
        return Header(scope: scope, schema: schema)
    }

    /// The next record, or nil after an end that proves that all of them came.
    mutating func next() throws -> Record? {
        guard let bytes = try nextLine() else {
            throw Self.fault(number + 1, "", "truncated", "The file ends before the bundle does; nothing was imported.")
        }
        let (name, members) = try parsed(bytes)
        if name == "end" {
            try prove(members)
            return nil
        }
        digest.add(bytes + [0x0A])
        records += 1
        return Record(line: number, name: name, members: members)
    }

    private mutating func prove(_ end: [String: JSONValue]) throws {
        guard end["records"]?.integerValue == records else {
            throw Self.fault(
                number, "/end/records", "truncated",
                "The bundle has \(end["records"]?.integerValue ?? 0) records, and \(records) came.")
        }
        guard end["sha256"]?.stringValue == digest.hex else {
            throw Self.fault(
                number, "/end/sha256", "digest", "The bundle is not what was exported: its SHA-256 differs.")
        }
        if let more = try nextLine(), !more.isEmpty {
            throw Self.fault(number, "", "unexpected", "There is more after the end.")
        }
    }

    private func parsed(_ bytes: [UInt8]) throws -> (String, [String: JSONValue]) {
        let value = try document(bytes)
        guard let object = value.objectValue, object.count == 1, let member = object.first,
            let members = member.value.objectValue
        else {
            throw Self.fault(number, "", "type", "A line is one object with one member, which is an object.")
        }
        return (member.key, members)
    }

    private func document(_ bytes: [UInt8]) throws -> JSONValue {
        do throws(Failure) {
            return try JSONValue(parsing: bytes, maxDepth: BundleFormat.maxDepth)
        } catch {
            guard case .invalid(let errors) = error, let first = errors.items.first else { throw error as any Error }
            throw Self.fault(number, first.pointer, first.code, first.message)
        }
    }

    /// A line without its end; nil when there is none any more. A last line without an end is not whole, and so is none.
    private mutating func nextLine() throws -> [UInt8]? {
        while true {
            if let line = takeLine() { return line }
            if isOver {
                if rest.isEmpty { return nil }
                throw Self.fault(
                    number + 1, "", "truncated", "The file ends within this line; nothing was imported.")
            }
            if rest.count > BundleFormat.maxLine {
                throw Self.fault(number + 1, "", "too_long", "This line is longer than any of a bundle.")
            }
            try read()
        }
    }

    private mutating func takeLine() -> [UInt8]? {
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
        guard let piece = try pieces() else {
            isOver = true
            return
        }
        // A new array, so that what was read is let go.
        rest = ArraySlice(Array(rest) + piece)
    }
}
