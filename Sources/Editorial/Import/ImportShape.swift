// How the columns of a file become the fields of a content type, and what stands in for what is missing.
import Domain

/// What is asked of an import.
package struct ImportOptions: Sendable {
    /// Tells the ids of one file's origin from those of another.
    package var source: String
    /// Columns by field, in place of the usual ones: `["title": "BusinessName"]`.
    package var columns: [String: String] = [:]
    /// Slug or name of the city of every row; else each row names its own.
    package var city: String?
    /// Slugs or names of the categories of rows in which no category is named.
    package var categories: [String] = []
    /// Address of the image of rows without one.
    package var image: String?
    /// Categories that are named but do not exist are made in this group, by its slug.
    package var makeCategoriesIn: String?
    /// Nil leaves drafts.
    package var publishTiming: PublishTiming?
    /// The open or scheduled release that what is approved goes into.
    package var release: Int64?

    package init(source: String) {
        self.source = source
    }
}

struct ImportShape {
    let type: ContentType
    let options: ImportOptions

    /// What files call these fields, in lower case.
    private static let usual: [String: [String]] = [
        "id": ["id", "@id", "external_id", "fhrsid", "geonameid"],
        "title": ["title", "name", "businessname"],
        "address": ["address"],
        "postcode": ["postcode", "addr:postcode", "postal_code"],
        "lat": ["lat", "latitude"],
        "lon": ["lon", "lng", "long", "longitude"],
        "city": ["city", "town"],
        "categories": ["categories", "category", "cuisine", "businesstype", "amenity"],
        "image": ["image", "image", "photo"],
        "summary": ["summary", "description"],
        "phone": ["phone", "contact:phone", "telephone"],
        "website": ["website", "contact:website", "url"],
        "hours": ["hours", "opening_hours"],
        "names": ["names", "alternatenames"],
        "country": ["country", "country_code"],
        "zone": ["zone", "timezone"],
        "population": ["population"],
        "slug": ["slug"],
    ]

    /// Addresses in pieces, as OpenStreetMap and food authorities write them.
    private static let streets = [
        ["addr:housename"], ["addr:housenumber", "addr:street"], ["addressline1"], ["addressline2"], ["addressline3"],
        ["addressline4"],
    ]

    func columns(of field: String) -> [String] {
        options.columns[field].map { [$0.lowercased()] } ?? Self.usual[field] ?? [field]
    }

    /// The id by which the file knows it; a file without ids knows things by name and position.
    func externalID(of record: ImportRecord, _ fields: [String: JSONValue]) -> String? {
        if let id = record.text(of: columns(of: "id")) { return String(id.prefix(300)) }
        guard let name = fields["title"]?.stringValue, let point = point(record) else { return nil }
        let position = "\(point["lat"]?.canonicalText ?? ""),\(point["lon"]?.canonicalText ?? "")"
        return "\(name.prefix(200))@\(position)"
    }

    /// The fields as the record has them, without references.
    func fields(of record: ImportRecord) -> [String: JSONValue] {
        var fields: [String: JSONValue] = [:]
        for field in type.fields where !field.type.isReference {
            switch field.name {
            case "extra": fields["extra"] = rest(of: record)
            case "address": fields["address"] = address(record).map(JSONValue.string)
            case "names": fields["names"] = names(record).map(JSONValue.string)
            case "image":
                fields["image"] = record.text(of: columns(of: "image")).map(JSONValue.string)
            default:
                if field.type == .point {
                    fields[field.name] = point(record)
                } else if let text = record.text(of: columns(of: field.name)) {
                    fields[field.name] = field.value(fromForm: [text])
                }
            }
        }
        return fields
    }

    /// The words in a record that may name categories: `pizza;italian` are two.
    func categoryWords(of record: ImportRecord) -> [String] {
        let text = record.text(of: columns(of: "categories")) ?? ""
        return text.split { ";|,".contains($0) }.map { PlainText.singleLine(String($0)) }.filter { !$0.isEmpty }
    }

    private func point(_ record: ImportRecord) -> JSONValue? {
        let lat = record.text(of: columns(of: "lat"))
        let lon = record.text(of: columns(of: "lon"))
        guard lat != nil || lon != nil, let field = type.fields.first(where: { $0.type == .point }) else { return nil }
        return field.value(fromForm: [lat ?? "", lon ?? ""])
    }

    private func address(_ record: ImportRecord) -> String? {
        var pieces: [String] = []
        if let whole = record.text(of: columns(of: "address")) {
            pieces = [whole]
        } else if options.columns["address"] == nil {
            pieces = Self.streets.compactMap { names in
                let words = names.compactMap { record.text(of: [$0]) }
                // A number alone is no address.
                return words.count == names.count || names.count == 1 ? words.joined(separator: " ") : nil
            }.filter { !$0.isEmpty }
        }
        if pieces.isEmpty { return nil }
        if let postcode = record.text(of: columns(of: "postcode")) { pieces.append(postcode) }
        return pieces.joined(separator: ", ")
    }

    /// Other names stand between commas or lines; the name itself and repetitions are left out.
    private func names(_ record: ImportRecord) -> String? {
        guard let text = record.value(of: columns(of: "names"))?.stringValue else { return nil }
        let title = record.text(of: columns(of: "title"))
        var seen: Set<String> = title.map { [$0] } ?? []
        let names = text.split { ",;\n".contains($0) }.map { PlainText.singleLine(String($0)) }
            .filter { !$0.isEmpty && seen.insert($0).inserted }
        return names.isEmpty ? nil : names.joined(separator: "\n")
    }

    /// Every column that means nothing to us, so that nothing is lost (B35).
    private func rest(of record: ImportRecord) -> JSONValue? {
        var known = Set(Self.usual.keys.flatMap(columns)).union(Self.streets.flatMap(\.self))
        // A column that says more than the category it leads to, such as a cuisine, is kept as well.
        known.subtract(["cuisine", "businesstype", "amenity"])
        known.insert("type")
        let rest = record.values.filter { !known.contains($0.key) }
        return rest.isEmpty ? nil : .object(rest)
    }
}
