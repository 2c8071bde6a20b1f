// The state of an import of observations: parsed drafts that are not stored yet, and refused rows.
import Domain
import Markup
import Store

struct ObservationBuilder {
    let kind: ObservationKind
    let options: ImportObservations.Options
    let sites: [String: ObservationFormat.Site]
    var city: String?
    var drafts: [ObservationDraft] = []
    var refused: [ObservationRefusal] = []
    var recorded = 0
    var processed = 0

    private var reader = CSVReader()
    private var columns: [String] = []
    private var format: ObservationFormat?

    init(kind: ObservationKind, options: ImportObservations.Options, sites: [String: ObservationFormat.Site]) {
        self.kind = kind
        self.options = options
        self.sites = sites
        city = options.city
    }

    mutating func add(_ document: ObservationDocument.Read) {
        city = city ?? document.city
        drafts += document.observations
        refused += document.refused
    }

    mutating func read(_ bytes: [UInt8]) throws(Failure) {
        do throws(CSVReader.TooLong) {
            for record in try reader.read(bytes) { try? add(record) }
        } catch {
            throw .refused(
                code: "format", message: "Line \(error.line): the row is too long. Check for an unclosed quote.")
        }
        if let failure { throw failure }
    }

    mutating func endOfFile() throws(Failure) {
        if let record = reader.end() { try add(record) }
        if format == nil { throw .refused(code: "empty", message: "The file has no rows.") }
    }

    /// The first error that refuses the whole file.
    private var failure: Failure?

    private mutating func add(_ record: CSVReader.Record) throws(Failure) {
        guard let format else {
            columns = record.fields.map(PlainText.singleLine)
            do throws(Failure) {
                format = try ObservationFormat(kind: kind, columns: columns, sites: sites)
            } catch {
                failure = failure ?? error
                throw error
            }
            return
        }
        guard record.fields.count == columns.count else {
            let message = "The row has \(record.fields.count) cells, but the first row has \(columns.count)."
            refused.append(ObservationRefusal(line: record.line, reason: message))
            return
        }
        let cells = Dictionary(
            zip(columns, record.fields.map(PlainText.singleLine)), uniquingKeysWith: { first, _ in first })
        do throws(ObservationRefusal) {
            drafts += try format.observations(cells, line: record.line)
        } catch {
            refused.append(error)
        }
    }
}

/// A CSV file with the coordinates of monitoring sites: a column `site`, `site_code`, `Monitor` or `location`, and the
/// columns latitude and longitude.
enum SiteFile {
    static func read(_ bytes: [UInt8]) throws(Failure) -> [String: ObservationFormat.Site] {
        var reader = CSVReader()
        var records: [CSVReader.Record]
        do throws(CSVReader.TooLong) {
            records = try reader.read(bytes)
        } catch {
            throw .refused(code: "format", message: "Line \(error.line) of the sites file is too long.")
        }
        if let last = reader.end() { records.append(last) }
        let columns = records.first?.fields.map { $0.lowercased() } ?? []
        guard let name = columns.firstIndex(where: { ["site", "site_code", "monitor", "location"].contains($0) }),
            let latitude = columns.firstIndex(of: "latitude"), let longitude = columns.firstIndex(of: "longitude")
        else {
            throw .refused(
                code: "columns", message: "The sites file must have the columns site, latitude and longitude.")
        }
        var sites: [String: ObservationFormat.Site] = [:]
        for record in records.dropFirst() where record.fields.count == columns.count {
            guard let north = Double(record.fields[latitude]), let east = Double(record.fields[longitude]),
                let point = RoutePoint(latitude: north, longitude: east)
            else { continue }
            sites[PlainText.singleLine(record.fields[name])] = ObservationFormat.Site(
                latitude: point.latitude, longitude: point.longitude)
        }
        return sites
    }
}
