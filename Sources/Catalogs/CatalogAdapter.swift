// What a source of catalogs must know: which searches it has, what to ask its API, how to read what comes.
import Domain
import Platform

/// One way to look something up, as a form shows it.
package struct CatalogSearch: Sendable, Encodable {
    package enum Rule: String, Sendable, Encodable {
        /// 1 to 200 characters.
        case words
        /// Degrees: -90 to 90, -180 to 180, both ends included.
        case latitude, longitude
        /// `en` or `en-US`.
        case language
        /// 1 to 500, both included.
        case page
    }

    package struct Field: Sendable, Encodable {
        package let name: String
        package let label: String
        package let rule: Rule
        package let isNeeded: Bool

        init(_ name: String, _ label: String, _ rule: Rule, isNeeded: Bool = true) {
            self.name = name
            self.label = label
            self.rule = rule
            self.isNeeded = isNeeded
        }
    }

    package let name: String
    package let label: String
    package let fields: [Field]

    init(_ name: String, _ label: String, _ fields: [Field]) {
        self.name = name
        self.label = label
        self.fields = fields
    }

    static let languageField = Field("language", "Language", .language, isNeeded: false)
    static let pageField = Field("page", "Page", .page, isNeeded: false)
}

/// What is sent to a source. The query holds the key where the API wants it there: it is never logged.
struct CatalogRequest: Sendable {
    /// Below the base address, with a slash at its beginning; empty for the base itself.
    let path: String
    let query: [(name: String, value: String)]
    let headers: [(name: String, value: String)]

    init(path: String, query: [(name: String, value: String)], headers: [(name: String, value: String)] = []) {
        self.path = path
        self.query = query
        self.headers = headers
    }

    func address(below base: String) -> String {
        let fields = query.map { "\(Self.encoded($0.name))=\(Self.encoded($0.value))" }.joined(separator: "&")
        let start = base.hasSuffix("/") && path.hasPrefix("/") ? String(base.dropLast()) : base
        return fields.isEmpty ? start + path : "\(start)\(path)?\(fields)"
    }

    /// As a part of a path or a query: everything but letters, digits and `-._~` is escaped.
    static func encoded(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                encoded += digits.utf8.count == 1 ? "%0" + digits : "%" + digits
            }
        }
        return encoded
    }
}

/// What a source said, normalized.
struct CatalogReading: Sendable {
    var records: [CatalogRecord] = []
    /// What came that is no item, such as the names of artists.
    var hints: [String] = []
}

/// An answer that is not what the source's API promises; the sentence never quotes it.
struct MalformedResponse: Error, CustomStringConvertible {
    let description: String
}

protocol CatalogAdapter: Sendable {
    /// As the files of the catalogs name it.
    var source: String { get }
    /// What people call it.
    var label: String { get }
    /// Its API answers nothing without a key.
    var needsKey: Bool { get }

    func searches(of kind: String) -> [CatalogSearch]
    /// The question was checked by the search's rules.
    func request(_ question: CatalogQuery, key: String?) -> CatalogRequest
    /// The request for one thing by its id there.
    func request(externalID: String, kind: String, key: String?) -> CatalogRequest
    /// At most the first fifty; throws `MalformedResponse`.
    func read(_ body: [UInt8], _ kind: CatalogKind) throws -> CatalogReading
}

extension CatalogAdapter {
    /// The most records that one answer gives.
    static var most: Int { 50 }

    /// The answer as a JSON object.
    func object(_ body: [UInt8]) throws -> [String: JSONValue] {
        guard let value = try? JSONValue(parsing: body), let members = value.objectValue else {
            throw MalformedResponse(description: "The answer is not a JSON object.")
        }
        return members
    }
}
