// The query parameters of an endpoint, and their parsing.
import Domain
import HTTP
import Store

package struct QueryParameter: Sendable {
    package enum Kind: Sendable {
        /// 1 to `max` characters.
        case text(max: Int)
        /// The `next` of a page.
        case cursor
        /// A language such as `de-AT`.
        case language
        /// `true` or `false`
        case flag
        case choice([String])
        /// A position in the history: numbers and a tag, as a response returned them.
        case position
        /// Comma-separated ids, at most `max`.
        case ids(max: Int)
        /// Comma-separated names of letters and underscores, at most `max`.
        case names(max: Int)
        /// Comma-separated ids or slugs, at most `max`.
        case idsOrSlugs(max: Int)
        /// Degrees between minus and plus this limit.
        case degrees(limit: Double)
        /// Latitude and longitude in degrees, comma-separated.
        case point
        /// A number from 0 to this limit.
        case decimal(max: Double)
        /// West, south, east and north in degrees, comma-separated.
        case box
    }

    let name: String
    let kind: Kind
    let help: String

    package init(_ name: String, _ kind: Kind, _ help: String) {
        self.name = name
        self.kind = kind
        self.help = help
    }

    package static let cursor = QueryParameter("cursor", .cursor, "The `next` of the previous page.")
    static let tier = QueryParameter("tier", .choice(["free", "premium"]), "Only this tier.")
    package static let category = QueryParameter(
        "category", .idsOrSlugs(max: 50), "Comma-separated category ids or slugs; matches any of them.")
    static let hasVideo = QueryParameter("has_video", .flag, "Only with, or only without, a video.")
    static let offline = QueryParameter("offline", .flag, "Only feeds that can, or can't, be saved offline.")
    package static let type = QueryParameter("type", .text(max: 63), "Only this content type, such as `article`.")
    package static let q = QueryParameter("q", .text(max: 200), "Search query.")
    static let path = QueryParameter(
        "path", .text(max: 500),
        "Only the image with this file: a path, or its URL, as texts, settings and markup have it.")
    static let itemLocale = QueryParameter(
        "locale", .language,
        "Only items in this language, such as de, a form of it, or none; names of categories are in it.")
    static let itemOrder = QueryParameter(
        "sort", .choice(ItemSort.allCases.map(\.rawValue)), "The order; default newest first.")
    static let queueOrder = QueryParameter(
        "sort", .choice(QueueOrder.allCases.map(\.rawValue)), "The order; default oldest first.")
    static let priority = QueryParameter(
        "priority", .choice(Priority.allCases.map(\.name)), "Only this priority.")
    static let requestedCategory = QueryParameter(
        "category", .text(max: 200), "Only submissions that requested this category.")
    package static let ids = QueryParameter(
        "ids", .ids(max: 100), "Exactly these, in this order; no filter and no page.")
    static let since = QueryParameter("since", .position, "The `next` of the previous response; 0 to start.")
    static let tableSince = QueryParameter(
        "since", .position, "The `change` of the last page of another table: verifies that the tables match.")
    static let tables = QueryParameter(
        "tables", .names(max: 50), "Only changes of these read tables, comma-separated.")
    static let rows = QueryParameter("rows", .flag, "With `true` each change includes its current row, or null.")
    static let id = QueryParameter("id", .ids(max: 1), "An id.")
    static func kind(_ kinds: [String]) -> QueryParameter {
        QueryParameter("kind", .choice(kinds), "The kind of the slug.")
    }
    static let slug = QueryParameter("slug", .text(max: Slug.maxLength), "A current or former slug.")
    static let key = QueryParameter(
        "key", .text(max: 100), "The key of a signed URL: gives access to premium and full content.")
    static let view = QueryParameter(
        "view", .choice(["preview", "full"]), "`preview` returns the guest view to a client with full access.")
}

/// The query of a request, parsed by the endpoint's parameters. An unknown, repeated or malformed parameter
/// is an error, never ignored (A26, S17); all errors are reported at once. Values have the form of stored text.
package struct QueryValues: Sendable {
    private let query: FormFields

    init(_ sent: FormFields, _ parameters: [QueryParameter]) throws(Failure) {
        query = FormFields(
            sent.fields.map { FormFields.Field(name: $0.name, value: NormalForm.composed($0.value)) })
        if query.isEmpty { return }
        var errors = FieldErrors()
        var seen: Set<String> = []
        for field in query.fields {
            let pointer = "/query" + FieldErrors.step(field.name)
            guard let parameter = parameters.first(where: { $0.name == field.name }) else {
                let names = parameters.map(\.name).joined(separator: ", ")
                let known = names.isEmpty ? "This endpoint has no parameters." : "Known parameters: \(names)."
                errors.add(pointer, "unknown_parameter", "Unknown parameter. \(known)")
                continue
            }
            if !seen.insert(field.name).inserted {
                errors.add(pointer, "repeated", "Send this parameter only once.")
            } else if let (code, message) = Self.objection(to: field.value, parameter.kind) {
                errors.add(pointer, code, message)
            }
        }
        try errors.throwIfAny()
    }

    private static func objection(to text: String, _ kind: QueryParameter.Kind) -> (code: String, message: String)? {
        switch kind {
        case .text(let max):
            if PlainText.singleLine(text).isEmpty { return ("required", "Enter a value.") }
            // Code points, as the lengths of JSON Schema are counted.
            if text.utf8.count > max, text.unicodeScalars.count > max {
                return ("too_long", "At most \(max) characters are allowed.")
            }
        case .cursor:
            let isCursor = (1...1024).contains(text.utf8.count) && text.utf8.allSatisfy(Self.isBase64URL)
            if !isCursor { return ("format", "This cursor is invalid. Start again without a cursor.") }
        case .language:
            if LanguageTag(text) == nil { return ("format", LanguageTag.formatMessage) }
        case .flag:
            if text != "true", text != "false" { return ("choice", "Enter true or false.") }
        case .choice(let choices):
            if !choices.contains(text) { return ("choice", "Choose one of: \(choices.joined(separator: ", ")).") }
        // Parsed by `since`, because its form depends on the endpoint.
        case .position: break
        case .ids(let max):
            if pieces(text).contains(where: { ID<Entry>($0) == nil }) {
                return ("format", "Enter comma-separated ids of 36 characters.")
            }
            return tooMany(text, max)
        case .names(let max):
            if pieces(text).contains(where: { !isName($0) }) { return ("format", "Enter comma-separated names.") }
            return tooMany(text, max)
        case .idsOrSlugs(let max):
            // Code points, as for texts.
            if pieces(text).contains(where: { $0.isEmpty || $0.utf8.count > 500 && $0.unicodeScalars.count > 500 }) {
                return ("format", "Enter comma-separated ids or slugs.")
            }
            return tooMany(text, max)
        case .degrees(let limit):
            guard let degrees = number(text), abs(degrees) <= limit else {
                return ("format", "Enter degrees from -\(Int(limit)) to \(Int(limit)).")
            }
        case .point:
            if point(text) == nil { return ("format", "Enter lat,lon in degrees, such as 51.50415,-0.15312.") }
        case .decimal(let max):
            guard let value = number(text), (0...max).contains(value) else {
                return ("format", "Enter a number from 0 to \(Int(max)).")
            }
        case .box:
            if box(text) == nil {
                return ("format", "Enter west,south,east,north in degrees, with south at most north.")
            }
        }
        return nil
    }

    private static func isName(_ text: String) -> Bool {
        (1...63).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "_") }
    }

    private static func isBase64URL(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
    }

    /// Double also parses "inf", "nan" and hexadecimal, which are refused.
    private static func number(_ text: String) -> Double? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) } ? Double(text) : nil
    }

    private static func box(_ text: String) -> GeoBox? {
        let edges = pieces(text).map(number)
        guard edges.count == 4, let west = edges[0], let south = edges[1], let east = edges[2], let north = edges[3]
        else { return nil }
        return GeoBox(west: west, south: south, east: east, north: north)
    }

    private static func point(_ text: String) -> GeoPoint? {
        let degrees = pieces(text).map(number)
        guard degrees.count == 2, let lat = degrees[0], let lon = degrees[1] else { return nil }
        return GeoPoint(lat: lat, lon: lon)
    }

    private static func tooMany(_ text: String, _ max: Int) -> (code: String, message: String)? {
        pieces(text).count > max ? ("too_long", "At most \(max) are allowed at once.") : nil
    }

    private static func pieces(_ text: String) -> [String] {
        text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }

    // MARK: Values, checked by `init`

    package subscript(name: String) -> String? { query.first(name) }

    package func flag(_ name: String) -> Bool? { self[name].map { $0 == "true" } }

    /// The position in the parameter `since`.
    func since<Position>(
        _ expected: String, _ parse: (String) -> Position?
    ) throws(Failure) -> Position? {
        guard let text = self["since"] else { return nil }
        if let position = parse(text) { return position }
        throw .invalid(FieldErrors("/query/since", "format", "Enter \(expected)."))
    }

    package func ids(_ name: String) -> [ID<Entry>]? { self[name].map { Self.pieces($0).compactMap { ID($0) } } }

    func names(_ name: String) -> [String]? { self[name].map(Self.pieces) }

    package func box(_ name: String) -> GeoBox? { self[name].flatMap(Self.box) }

    package func point(_ name: String) -> GeoPoint? { self[name].flatMap(Self.point) }

    package func decimal(_ name: String) -> Double? { self[name].flatMap(Self.number) }

    /// The reader's position; one of the two alone is an error.
    package func position() throws(Failure) -> GeoPoint? {
        switch (self["lat"].flatMap(Self.number), self["lon"].flatMap(Self.number)) {
        case (nil, nil): return nil
        case (let lat?, let lon?): return GeoPoint(lat: lat, lon: lon)
        case (nil, _): throw .invalid(FieldErrors("/query/lat", "required", "lat and lon must be set together."))
        case (_, nil): throw .invalid(FieldErrors("/query/lon", "required", "lat and lon must be set together."))
        }
    }

    package func idsOrSlugs(_ name: String) -> [String] { self[name].map(Self.pieces) ?? [] }
}
