// How the columns of a file become facts: our own format, and what air quality networks publish.
import Domain
import Store

/// What kinds of file there are, told apart by their columns:
/// * ours: `postcode`, or `place`, `latitude` and `longitude`; `from` and `to`; `index` (air) or `count` (obstructions)
/// * `date`, `site_code` and a column of daily means for each substance, in micrograms
/// * `date.utc`, `location`, `parameter`, `value`, `unit`: one hour of one substance in each row
struct ObservationFormat {
    enum Shape { case ours, daily, hourly }

    let kind: ObservationKind
    let shape: Shape
    /// Where the measuring sites are, by code and by name.
    let sites: [String: Place]

    struct Place: Sendable {
        let latitude: Double
        let longitude: Double
    }

    init(kind: ObservationKind, columns: [String], sites: [String: Place]) throws(Failure) {
        self.kind = kind
        self.sites = sites
        let names = Set(columns)
        let value = kind == .air ? "index" : "count"
        let hasPlace = names.contains("postcode") || names.isSuperset(of: ["place", "latitude", "longitude"])
        if names.isSuperset(of: ["from", "to", value]), hasPlace {
            shape = .ours
        } else if kind == .air, names.isSuperset(of: ["date", "site_code"]) {
            shape = .daily
        } else if kind == .air, names.isSuperset(of: ["date.utc", "location", "parameter", "value"]) {
            shape = .hourly
        } else {
            throw .refused(
                code: "columns",
                message:
                    "The columns are not known. Needed: postcode (or place, latitude, longitude), from, to, \(value).")
        }
    }

    /// The facts of one row; empty cells, which mean that nothing was measured, give none.
    func observations(_ row: [String: String], line: Int) throws(ObservationRefusal) -> [ObservationDraft] {
        switch shape {
        case .ours: try ours(row, line)
        case .daily: try daily(row, line)
        case .hourly: try hourly(row, line)
        }
    }

    // MARK: Ours

    private func ours(_ row: [String: String], _ line: Int) throws(ObservationRefusal) -> [ObservationDraft] {
        let name = kind == .air ? "index" : "count"
        let written = row[name] ?? ""
        let value: Double
        if kind == .obstruction, written.lowercased() == "none" {
            value = 0
        } else if let number = Double(written), number.isFinite, (0...1_000_000).contains(number) {
            value = number
        } else {
            throw refusal(line, "\(name) \"\(written.prefix(40))\" is no number from 0 to 1,000,000.")
        }
        guard let from = Timestamp(row["from"] ?? ""), let to = Timestamp(row["to"] ?? "") else {
            throw refusal(line, "from and to are times with an offset, such as 2026-11-20T07:00:00Z.")
        }
        let place: ObservationDraft.Place
        if let written = row["postcode"], !written.isEmpty {
            guard let code = Postcode.key(written) else {
                throw refusal(line, "\"\(written.prefix(40))\" is no postcode.")
            }
            place = .postcode(code)
        } else {
            place = try at(row["place"] ?? "", row["latitude"], row["longitude"], line)
        }
        return [
            ObservationDraft(line: line, place: place, measure: name, period: .between(from.text, to.text), value: value)
        ]
    }

    private func at(_ name: String, _ latitude: String?, _ longitude: String?, _ line: Int) throws(ObservationRefusal)
        -> ObservationDraft.Place
    {
        guard let latitude = latitude.flatMap({ Double($0) }), let longitude = longitude.flatMap({ Double($0) }),
            let point = RoutePoint(latitude: latitude, longitude: longitude)
        else { throw refusal(line, "latitude and longitude are degrees, such as 51.50415 and -0.15312.") }
        let name = PlainText.singleLine(name)
        guard (1...100).contains(name.unicodeScalars.count) else {
            throw refusal(line, "place is a name of 1 to 100 characters.")
        }
        return .at(name: name, latitude: point.latitude, longitude: point.longitude)
    }

    // MARK: Networks

    private func daily(_ row: [String: String], _ line: Int) throws(ObservationRefusal) -> [ObservationDraft] {
        let date = String((row["date"] ?? "").prefix(10))
        guard Timestamp(date + "T00:00:00Z") != nil else { throw refusal(line, "date is a day, such as 2026-11-20.") }
        let place = try site(row["site_code"] ?? "", line)
        var observations: [ObservationDraft] = []
        for (column, written) in row.sorted(by: { $0.key < $1.key }) {
            guard !written.isEmpty, let substance = AirIndex(substance: column) else { continue }
            observations.append(try observation(substance, written, place, .day(date), line))
        }
        return observations
    }

    private func hourly(_ row: [String: String], _ line: Int) throws(ObservationRefusal) -> [ObservationDraft] {
        let written = (row["date.utc"] ?? "").replacing(" ", with: "T")
        guard let time = Timestamp(written) else {
            throw refusal(line, "date.utc is a time, such as 2026-11-20 07:00:00+00:00.")
        }
        guard let substance = AirIndex(substance: row["parameter"] ?? "") else {
            throw refusal(line, "The substance \"\((row["parameter"] ?? "").prefix(40))\" has no index here.")
        }
        let unit = row["unit"] ?? "µg/m³"
        guard unit == "µg/m³" || unit == "ug/m3" else {
            throw refusal(line, "The unit \"\(unit.prefix(20))\" is not µg/m³.")
        }
        let value = row["value"] ?? ""
        if value.isEmpty { return [] }
        let place = try site(row["location"] ?? "", line)
        return [try observation(substance, value, place, .hour(time.text), line)]
    }

    private func observation(
        _ substance: AirIndex, _ written: String, _ place: ObservationDraft.Place, _ period: ObservationPeriod, _ line: Int
    ) throws(ObservationRefusal) -> ObservationDraft {
        guard let number = Double(written), let index = substance.index(of: number) else {
            throw refusal(line, "\(substance.rawValue) \"\(written.prefix(40))\" is no concentration.")
        }
        return ObservationDraft(line: line, place: place, measure: substance.rawValue, period: period, value: Double(index))
    }

    private func site(_ name: String, _ line: Int) throws(ObservationRefusal) -> ObservationDraft.Place {
        guard let place = sites[name] else {
            throw refusal(line, "Where \"\(name.prefix(60))\" is, nobody has said; give a file of places with --sites.")
        }
        return .at(name: String(name.prefix(100)), latitude: place.latitude, longitude: place.longitude)
    }

    private func refusal(_ line: Int, _ reason: String) -> ObservationRefusal { ObservationRefusal(line: line, reason: reason) }
}
