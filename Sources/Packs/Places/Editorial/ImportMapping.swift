// Maps the columns of a file to the fields of a content type, with defaults for missing values.
import Domain
import Markup
import Operations

/// The options of an import.
package struct ImportOptions: Sendable {
    /// The name of the file's origin; ids are unique within one source.
    package var source: String
    /// Columns by field, instead of the default ones: `["title": "BusinessName"]`.
    package var columns: [String: String] = [:]
    /// The slug or name of the city of every row; nil when each row names its own.
    package var city: String?
    /// The slugs or names of the categories of rows that name none.
    package var categories: [String] = []
    /// The URL of the image of rows without one.
    package var image: String?
    /// The slug of the group in which missing categories are created.
    package var createCategoriesIn: String?
    package var publishTiming: PublishTiming = .draft

    package init(source: String) {
        self.source = source
    }
}

struct ImportMapping {
    let type: ContentType
    let options: ImportOptions

    /// The longest id in the database.
    private static let idLength = 300

    /// The default columns of each field, in lower case.
    private static let defaultColumns: [String: [String]] = [
        "id": ["id", "@id", "external_id", "fhrsid", "geonameid"],
        "title": ["title", "name", "businessname"],
        "address": ["address"],
        "postcode": ["postcode", "addr:postcode", "postal_code"],
        "lat": ["lat", "latitude"],
        "lon": ["lon", "lng", "long", "longitude"],
        "city": ["city", "town"],
        "categories": ["categories", "category", "cuisine", "businesstype", "amenity"],
        "image": ["image", "picture", "photo"],
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

    /// The columns of addresses in parts, as OpenStreetMap and food authorities publish them.
    private static let streets = [
        ["addr:housename"], ["addr:housenumber", "addr:street"], ["addressline1"], ["addressline2"], ["addressline3"],
        ["addressline4"],
    ]

    func columns(of field: String) -> [String] {
        options.columns[field].map { [$0.lowercased()] } ?? Self.defaultColumns[field] ?? [field]
    }

    /// The id of the record in the file; without one, its name and coordinates.
    func externalID(of record: ImportRecord) -> String? {
        if let id = record.text(of: columns(of: "id")) { return BoundedIdentity.text(id, atMost: Self.idLength) }
        guard let name = record.text(of: columns(of: "title")), let point = point(record) else { return nil }
        let coordinates = "\(point["lat"]?.canonicalText ?? ""),\(point["lon"]?.canonicalText ?? "")"
        return BoundedIdentity.text("\(name.prefix(200))@\(coordinates)", atMost: Self.idLength)
    }

    /// The fields of the record, without references.
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
                    fields[field.name] = value(text, of: field, in: record)
                }
            }
        }
        return fields
    }

    /// The value of a cell. A number that can't be read stays a text, which is refused where fields are checked.
    private func value(_ text: String, of field: Field, in record: ImportRecord) -> JSONValue? {
        guard field.type == .number else { return field.value(fromForm: [text]) }
        let number = DecimalText.number(text, hasDecimalCommas: record.hasDecimalCommas)
        return number.map(JSONValue.number) ?? .string(text)
    }

    /// The names in a record that may match categories.
    func categoryNames(of record: ImportRecord, _ references: ImportReferences) -> [String] {
        references.categoryNames(in: record.text(of: columns(of: "categories")) ?? "")
    }

    private func point(_ record: ImportRecord) -> JSONValue? {
        func degrees(_ name: String) -> String? {
            let text = record.text(of: columns(of: name))
            return text.flatMap { DecimalText.degrees($0) }.map { JSONValue.number($0).canonicalText } ?? text
        }
        let (lat, lon) = (degrees("lat"), degrees("lon"))
        guard lat != nil || lon != nil, let field = type.fields.first(where: { $0.type == .point }) else { return nil }
        return field.value(fromForm: [lat ?? "", lon ?? ""])
    }

    private func address(_ record: ImportRecord) -> String? {
        var parts: [String] = []
        if let whole = record.text(of: columns(of: "address")) {
            parts = [whole]
        } else if options.columns["address"] == nil {
            parts = Self.streets.compactMap { names in
                let values = names.compactMap { record.text(of: [$0]) }
                // A house number alone is not an address.
                return values.count == names.count || names.count == 1 ? values.joined(separator: " ") : nil
            }.filter { !$0.isEmpty }
        }
        if parts.isEmpty { return nil }
        if let postcode = record.text(of: columns(of: "postcode")) { parts.append(postcode) }
        return parts.joined(separator: ", ")
    }

    /// Other names, separated by commas or lines, without the name itself and duplicates.
    private func names(_ record: ImportRecord) -> String? {
        guard let text = record.value(of: columns(of: "names"))?.stringValue else { return nil }
        return Self.names(text, without: record.text(of: columns(of: "title")))
    }

    static func names(_ text: String, without title: String?) -> String? {
        var seen: Set<String> = title.map { [$0] } ?? []
        let names = text.split { ",;\n".contains($0) }.map { PlainText.singleLine(String($0)) }
            .filter { !$0.isEmpty && seen.insert($0).inserted }
        return names.isEmpty ? nil : names.joined(separator: "\n")
    }

    /// Every unmapped column, so that nothing is lost (B35).
    private func rest(of record: ImportRecord) -> JSONValue? {
        var known = Set(Self.defaultColumns.keys.flatMap(columns)).union(Self.streets.flatMap(\.self))
        // A column that is more specific than its category, such as a cuisine, is kept as well.
        known.subtract(["cuisine", "businesstype", "amenity"])
        known.insert("type")
        let rest = record.values.filter { !known.contains($0.key) }
        return rest.isEmpty ? nil : .object(rest)
    }
}
