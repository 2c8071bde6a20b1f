// The monitoring sites of files that describe them: CSV with or without coordinates, and JSON of the London network.
import Domain
import Localization
import Markup
import Operations

/// What one or several files say about sites. A file may name sites by code, by name or both, and may lack coordinates:
/// what one file lacks, another may have.
struct SiteTable {
    private var points: [String: RoutePoint] = [:]
    private var codes: [String: String] = [:]

    init() {}

    /// Reads a file as the networks offer it. CSV has a column `site`, `site_code`, `sitecode`, `monitor` or `location`,
    /// maybe `site_name` or `sitename`, and maybe latitude and longitude. JSON has objects with `@SiteCode`.
    mutating func read(_ file: [UInt8]) throws(Failure) {
        var encoding = TextEncoding()
        let bytes = encoding.decode(file) + encoding.finish()
        let first = bytes.first { !" \n\r\t".utf8.contains($0) }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            add(try JSONValue(parsing: bytes))
            return
        }
        var reader = TableReader()
        var records: [CSVReader.Record]
        do throws(TableReader.Unreadable) {
            records = try reader.read(bytes)
            records += try reader.finish()
        } catch {
            throw .refused(code: "format", message: tr("The sites file can't be read. \(error.message)"))
        }
        let columns = records.first?.fields.map { PlainText.singleLine($0).lowercased() } ?? []
        func column(_ names: String...) -> Int? { columns.firstIndex { names.contains($0) } }
        guard let code = column("site", "site_code", "sitecode", "monitor", "location") else {
            throw .refused(
                code: "columns",
                message: tr("The sites file must have the column site, site_code, monitor or location."))
        }
        let (name, latitude, longitude) = (
            column("site_name", "sitename"), column("latitude", "lat"), column("longitude", "lon")
        )
        for record in records.dropFirst() where record.fields.count == columns.count {
            func number(_ index: Int?) -> Double? { index.flatMap { DecimalText.degrees(record.fields[$0]) } }
            add(
                record.fields[code], name: name.map { record.fields[$0] }, latitude: number(latitude),
                longitude: number(longitude))
        }
    }

    /// The sites anywhere in a document of the London Air Quality Network.
    private mutating func add(_ value: JSONValue) {
        switch value {
        case .array(let elements): for element in elements { add(element) }
        case .object(let members):
            guard let code = members["@SiteCode"]?.stringValue else {
                for member in members.values { add(member) }
                return
            }
            func number(_ name: String) -> Double? { (members[name]?.stringValue).flatMap { DecimalText.degrees($0) } }
            add(
                code, name: members["@SiteName"]?.stringValue, latitude: number("@Latitude"),
                longitude: number("@Longitude"))
        default: break
        }
    }

    private mutating func add(_ code: String, name: String?, latitude: Double?, longitude: Double?) {
        let code = PlainText.singleLine(code)
        if let name = name.map(PlainText.singleLine), !name.isEmpty { codes[name] = code }
        if let latitude, let longitude { points[code] = RoutePoint(latitude: latitude, longitude: longitude) }
    }

    /// A site by its code or name. Its coordinates are nil if no file has them.
    func find(_ text: String) -> (code: String, point: RoutePoint?) {
        let code = points[text] == nil ? codes[text] ?? text : text
        return (code, points[code])
    }
}
