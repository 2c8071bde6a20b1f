// The fields of a query or a form, in order, and the files that came with them.

/// An ordered multi-map of names to texts, plus uploaded parts.
package struct FormFields: Sendable, Equatable {
    package struct Field: Sendable, Equatable {
        package let name: String
        package let value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package private(set) var fields: [Field] = []
    package private(set) var uploads: [Upload] = []

    package init() {}

    package init(_ fields: [Field], uploads: [Upload] = []) {
        self.fields = fields
        self.uploads = uploads
    }

    /// Why `name=value&...` text was refused.
    package enum Fault: Error, Equatable {
        case text(PercentCoding.Fault)
        case tooMany(limit: Int)
        case longName(limit: Int)
    }

    /// How many bytes the name of a field may have: what looks for fields compares names.
    static let maxName = 512

    /// Reads `name=value&...`, `+` being a space. Empty pieces are skipped, a piece without `=` is a name with an
    /// empty value, and names may repeat.
    package init(urlEncoded text: some Collection<UInt8>, limit: Int = 1000) throws(Fault) {
        for piece in text.split(separator: UInt8(ascii: "&")) {
            if fields.count >= limit { throw .tooMany(limit: limit) }
            let equals = piece.firstIndex(of: UInt8(ascii: "=")) ?? piece.endIndex
            // Up to three bytes stand for one.
            if piece[..<equals].count > 3 * Self.maxName { throw .longName(limit: Self.maxName) }
            do {
                let name = try PercentCoding.decode(piece[..<equals], plusIsSpace: true)
                let value = try PercentCoding.decode(piece[equals...].dropFirst(), plusIsSpace: true)
                fields.append(Field(name: name, value: value))
            } catch {
                throw .text(error)
            }
            if fields[fields.count - 1].name.utf8.count > Self.maxName { throw .longName(limit: Self.maxName) }
        }
    }

    package init(urlEncoded text: String, limit: Int = 1000) throws(Fault) {
        try self.init(urlEncoded: text.utf8, limit: limit)
    }

    package var isEmpty: Bool { fields.isEmpty && uploads.isEmpty }

    /// The first value of that name: the one reading wherever a single value is wanted.
    package func first(_ name: String) -> String? {
        fields.first { $0.name == name }?.value
    }

    /// All values of that name, in order.
    package func all(_ name: String) -> [String] {
        fields.filter { $0.name == name }.map(\.value)
    }

    package func contains(_ name: String) -> Bool {
        fields.contains { $0.name == name }
    }

    /// The first file uploaded under that name.
    package func upload(_ name: String) -> Upload? {
        uploads.first { $0.name == name }
    }

    package mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    mutating func append(_ upload: Upload) {
        uploads.append(upload)
    }

    /// The fields (without uploads) as `name=value&...`.
    package var urlEncoded: String {
        fields.map { PercentCoding.encode($0.name) + "=" + PercentCoding.encode($0.value) }.joined(separator: "&")
    }
}
