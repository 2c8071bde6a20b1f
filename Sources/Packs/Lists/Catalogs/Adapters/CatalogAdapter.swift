// The adapter protocol of catalog sources: their searches, API requests and response parsers.
import Domain
import Localization
import Platform

/// One search of a source, as a form shows it.
package struct CatalogSearch: Sendable, Encodable {
    package enum Rule: String, Sendable, Encodable {
        /// 1 to 200 characters.
        case text
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
        package let isRequired: Bool

        init(_ name: String, _ label: String, _ rule: Rule, isRequired: Bool = true) {
            self.name = name
            self.label = label
            self.rule = rule
            self.isRequired = isRequired
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

    static let languageField = Field("language", "Language", .language, isRequired: false)
    static let pageField = Field("page", "Page", .page, isRequired: false)
}

/// A request to a source. Some APIs take the key in the query, so the query is never logged.
struct CatalogRequest: Sendable {
    /// Relative to the base URL, with a leading slash; empty for the base itself.
    let path: String
    let query: [(name: String, value: String)]
    let headers: [(name: String, value: String)]

    init(path: String, query: [(name: String, value: String)], headers: [(name: String, value: String)] = []) {
        self.path = path
        self.query = query
        self.headers = headers
    }

    func url(base: String) -> String {
        let fields = query.map { "\(Self.encoded($0.name))=\(Self.encoded($0.value))" }.joined(separator: "&")
        let start = base.hasSuffix("/") && path.hasPrefix("/") ? String(base.dropLast()) : base
        return fields.isEmpty ? start + path : "\(start)\(path)?\(fields)"
    }

    /// Percent-encodes everything but letters, digits and `-._~`, for a part of a path or query.
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

/// A source's normalized response.
struct CatalogResults: Sendable {
    var records: [CatalogRecord] = []
    /// Results that are not items, such as the names of artists.
    var hints: [String] = []
}

/// A response that does not match the source's API. The description never quotes it.
struct MalformedResponse: Error, CustomStringConvertible {
    let description: String
}

protocol CatalogAdapter: Sendable {
    /// The name in the catalog files.
    var source: String { get }
    /// The display name.
    var label: String { get }
    /// The API requires a key.
    var needsKey: Bool { get }
    /// The catalogs whose items it describes.
    var kinds: Set<String> { get }

    func searches(of kind: String) -> [CatalogSearch]
    /// The query has passed the search's rules.
    func request(_ query: CatalogQuery, key: String?) -> CatalogRequest
    /// The request for one item by its id at the source.
    func request(externalID: String, kind: String, key: String?) -> CatalogRequest
    /// At most the first fifty; throws `MalformedResponse`.
    func read(_ body: [UInt8], _ kind: CatalogKind) throws -> CatalogResults
}

extension CatalogAdapter {
    /// The most records read from one response.
    static var maxRecords: Int { 50 }

    /// The response body as a JSON object.
    func object(_ body: [UInt8]) throws -> [String: JSONValue] {
        guard let value = try? JSONValue(parsing: body), let members = value.objectValue else {
            throw MalformedResponse(description: tr("The response is not a JSON object."))
        }
        return members
    }
}
