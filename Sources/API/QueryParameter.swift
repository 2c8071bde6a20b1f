// The parameters that a route takes in its query, and how each is read.
import Domain
import HTTP
import Store

struct QueryParameter: Sendable {
    enum Kind: Sendable {
        /// Between one and so many characters.
        case text(max: Int)
        /// `true` or `false`
        case flag
        case choice([String])
        /// A whole number from 0 on.
        case number
        /// Ids with commas between them, at most so many.
        case ids(max: Int)
        /// Ids or slugs with commas between them, at most so many.
        case addresses(max: Int)
        /// Degrees between minus and plus this limit.
        case degrees(limit: Double)
        /// West, south, east and north in degrees, with commas between them.
        case box
    }

    let name: String
    let kind: Kind
    let help: String

    init(_ name: String, _ kind: Kind, _ help: String) {
        self.name = name
        self.kind = kind
        self.help = help
    }

    static let cursor = QueryParameter("cursor", .text(max: 1024), "Where to go on: `next` of the page before.")
    static let tier = QueryParameter("tier", .choice(["free", "premium"]), "Only this tier.")
    static let category = QueryParameter(
        "category", .addresses(max: 50), "Ids or slugs of categories, with commas: what has at least one of them.")
    static let hasVideo = QueryParameter("has_video", .flag, "Only with, or only without, a video.")
    static let offline = QueryParameter("offline", .flag, "Only what can, or cannot, be saved for offline use.")
    static let type = QueryParameter("type", .text(max: 63), "Only this content type, such as `article`.")
    static let words = QueryParameter("q", .text(max: 200), "Words to look for.")
    static let queueOrder = QueryParameter(
        "sort", .choice(QueueOrder.allCases.map(\.rawValue)), "The order; oldest first where nothing is said.")
    static let priority = QueryParameter(
        "priority", .choice(Priority.allCases.map(\.name)), "Only of this priority.")
    static let requestedCategory = QueryParameter("category", .text(max: 200), "Only what wished for this category.")
    static let ids = QueryParameter("ids", .ids(max: 100), "Exactly these, in this order; alone only.")
    static let since = QueryParameter("since", .number, "The number of the last change that is known; 0 at first.")
    static let rows = QueryParameter("rows", .flag, "With `true` each change has its row as it is now, or null.")
    static let owner = QueryParameter("owner", .text(max: 200), "Only lists of this owner, by the app's reference.")
    static let subject = QueryParameter("subject", .ids(max: 1), "Only lists about this thing of a catalog.")
    static let sort = QueryParameter(
        "sort", .choice(ListSort.allCases.map(\.rawValue)),
        "The curator's order (`position`, the default), the newest first (`date`) or by `title`.")
    static let format = QueryParameter("format", .choice(["json", "text"]), "`text` gives the list as plain text.")
    static let id = QueryParameter("id", .ids(max: 1), "An id.")
    static let kind = QueryParameter("kind", .choice(ResolveReads.kinds), "The kind whose slug it is.")
    static let slug = QueryParameter("slug", .text(max: 120), "A slug, of today or of old.")
    static let prefix = QueryParameter("q", .text(max: 200), "Beginnings of words of a name.")
    static let city = QueryParameter("city", .addresses(max: 1), "The id or slug of one city.")
    static let lat = QueryParameter("lat", .degrees(limit: 90), "Latitude of where the reader is; with lon.")
    static let lon = QueryParameter("lon", .degrees(limit: 180), "Longitude of where the reader is; with lat.")
    static let box = QueryParameter(
        "box", .box,
        "Only in this box: west,south,east,north in degrees, edges included; west is greater than east where it crosses "
            + "the 180th meridian.")
    static let places = QueryParameter("places", .ids(max: 100), "Only of these places, by their ids.")
    static let cityName = QueryParameter("city", .text(max: 200), "Only of this city; case and accents do not count.")
    static let order = QueryParameter(
        "order", .choice(["weighted", "distance"]), "`weighted`: distance divided by multiplier, the usual order.")
    static let key = QueryParameter(
        "key", .text(max: 100), "Of a signed address: opens what is premium, and the whole texts.")
    static let view = QueryParameter(
        "view", .choice(["preview", "full"]), "`preview` shows what a guest sees also to a client with full access.")
}

/// The query of a request, read by the route's parameters. A parameter that the route does not know, that comes twice
/// or that has another form than it must have is refused, never ignored (A26, S17); all mistakes are told at once.
struct QueryValues: Sendable {
    private let query: FormFields

    init(_ query: FormFields, _ parameters: [QueryParameter]) throws(Failure) {
        self.query = query
        if query.isEmpty { return }
        var errors = FieldErrors()
        var seen: Set<String> = []
        for field in query.fields {
            let pointer = "/query" + FieldErrors.step(field.name)
            guard let parameter = parameters.first(where: { $0.name == field.name }) else {
                let names = parameters.map(\.name).joined(separator: ", ")
                let known = names.isEmpty ? "This address takes none." : "This address takes: \(names)."
                errors.add(pointer, "unknown_parameter", "There is no such parameter. \(known)")
                continue
            }
            if !seen.insert(field.name).inserted {
                errors.add(pointer, "repeated", "A parameter can be given once.")
            } else if let (code, message) = Self.objection(to: field.value, parameter.kind) {
                errors.add(pointer, code, message)
            }
        }
        try errors.throwIfAny()
    }

    private static func objection(to text: String, _ kind: QueryParameter.Kind) -> (code: String, message: String)? {
        switch kind {
        case .text(let max):
            if PlainText.singleLine(text).isEmpty { return ("required", "This is empty.") }
            // Code points, as the lengths of JSON Schema are counted.
            if text.utf8.count > max, text.unicodeScalars.count > max {
                return ("too_long", "At most \(max) characters are allowed.")
            }
        case .flag:
            if text != "true", text != "false" { return ("choice", "Write true or false.") }
        case .choice(let choices):
            if !choices.contains(text) { return ("choice", "Write one of: \(choices.joined(separator: ", ")).") }
        case .number:
            let isNumber = !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) } && Int64(text) != nil
            if !isNumber { return ("format", "Write a whole number from 0 to \(Int64.max).") }
        case .ids(let max):
            if pieces(text).contains(where: { ID<Entry>($0) == nil }) {
                return ("format", "Write ids of 36 characters with commas between them.")
            }
            return tooMany(text, max)
        case .addresses(let max):
            if pieces(text).contains(where: { $0.isEmpty || $0.utf8.count > 500 }) {
                return ("format", "Write ids or slugs with commas between them.")
            }
            return tooMany(text, max)
        case .degrees(let limit):
            guard let degrees = number(text), abs(degrees) <= limit else {
                return ("format", "Write degrees from -\(Int(limit)) to \(Int(limit)).")
            }
        case .box:
            if box(text) == nil {
                return ("format", "Write west,south,east,north in degrees; south is not greater than north.")
            }
        }
        return nil
    }

    /// Double also reads "inf", "nan" and hexadecimal, which nobody means.
    private static func number(_ text: String) -> Double? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) } ? Double(text) : nil
    }

    private static func box(_ text: String) -> GeoBox? {
        let edges = pieces(text).map(number)
        guard edges.count == 4, let west = edges[0], let south = edges[1], let east = edges[2], let north = edges[3]
        else { return nil }
        return GeoBox(west: west, south: south, east: east, north: north)
    }

    private static func tooMany(_ text: String, _ max: Int) -> (code: String, message: String)? {
        pieces(text).count > max ? ("too_long", "At most \(max) can be given at once.") : nil
    }

    private static func pieces(_ text: String) -> [String] {
        text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }

    // MARK: The values, checked when this was made

    subscript(name: String) -> String? { query.first(name) }

    func flag(_ name: String) -> Bool? { self[name].map { $0 == "true" } }

    func number(_ name: String) -> Int64? { self[name].flatMap { Int64($0) } }

    func ids(_ name: String) -> [ID<Entry>]? { self[name].map { Self.pieces($0).compactMap { ID($0) } } }

    func box(_ name: String) -> GeoBox? { self[name].flatMap(Self.box) }

    /// Where the reader is; one of the two alone is refused.
    func position() throws(Failure) -> GeoPoint? {
        switch (self["lat"].flatMap(Self.number), self["lon"].flatMap(Self.number)) {
        case (nil, nil): return nil
        case (let lat?, let lon?): return GeoPoint(lat: lat, lon: lon)
        case (nil, _): throw .invalid(FieldErrors("/query/lat", "required", "Give lat together with lon."))
        case (_, nil): throw .invalid(FieldErrors("/query/lon", "required", "Give lon together with lat."))
        }
    }

    func addresses(_ name: String) -> [String] { self[name].map(Self.pieces) ?? [] }
}
