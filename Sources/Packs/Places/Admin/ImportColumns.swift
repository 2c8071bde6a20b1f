// Which column of an imported file fills which field: the menus of the import plan.
import Admin
import Domain
import HTTP
import Localization

struct ImportColumns: Encodable, Sendable {
    struct Menu: Encodable, Sendable {
        let id: String
        let name: String
        let label: String
        let options: [Option]
    }

    /// The start of the names of the menus; the name of the field follows.
    private static let prefix = "column."
    /// The records that are read for the names of columns. Objects may each have others.
    private static let sample = 200

    let menus: [Menu]

    /// The chosen columns by field, without fields that find theirs by its name.
    static func chosen(_ form: FormFields) -> [String: String] {
        let named = form.fields.filter { $0.name.hasPrefix(prefix) && !$0.value.isEmpty }
        return Dictionary(named.map { (String($0.name.dropFirst(prefix.count)), $0.value) }) { first, _ in first }
    }

    /// The same as a text, to compare it with what was planned.
    static func text(_ form: FormFields) -> String {
        JSONValue.object(chosen(form).mapValues { .string($0) }).canonicalText
    }

    /// For the file in `bytes`, which is imported as entries of `type`.
    init(_ bytes: [UInt8], as type: ContentType, _ form: FormFields) throws {
        var reader = RecordReader(bytes)
        let columns = Set(try reader.next(Self.sample).flatMap { $0.values.keys }).sorted()
        let (chosen, mapping) = (Self.chosen(form), ImportMapping(type: type, options: ImportOptions(source: "")))
        menus = Self.fields(of: type).map { name, label in
            let found = mapping.columns(of: name).first(where: columns.contains)
            let automatic =
                found.map { tr("Automatic: \($0)", context: "column") } ?? tr("Automatic", context: "column")
            return Menu(
                id: "column-\(name)", name: Self.prefix + name, label: label,
                options: Option.list(
                    [("", automatic)] + columns.map { ($0, $0) }, chosen: chosen[name]?.lowercased()))
        }
    }

    /// The fields that a column can fill, with their labels.
    private static func fields(of type: ContentType) -> [(String, String)] {
        var fields = [("id", tr("ID in the file"))]
        for field in type.fields {
            switch field.type {
            case .point:
                fields.append(("lat", tr("Latitude", context: "checkboxes")))
                fields.append(("lon", tr("Longitude", context: "checkboxes")))
            case .rows, .json: continue
            default:
                if field.type.isReference, !["city", "categories"].contains(field.name) { continue }
                fields.append((field.name, field.label))
            }
        }
        if type.field("address") != nil { fields.append(("postcode", tr("Postcode", context: "checkboxes"))) }
        return fields
    }
}
