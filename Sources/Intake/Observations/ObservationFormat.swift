// Converts the rows of a file to observations: our own format and those of air quality networks.
import Domain
import Store

/// The supported formats, detected by their columns:
/// * own: `postcode`, or `place`, `latitude` and `longitude`; `from` and `to`; `index` (air) or `count` (obstructions)
/// * daily: `date`, `site_code` and a column of daily means for each substance, in micrograms
/// * hourly: `date.utc`, `location`, `parameter`, `value`, `unit`: one hour of one substance in each row
struct ObservationFormat {
    enum Layout { case own, daily, hourly }

    let kind: ObservationKind
    let layout: Layout
    /// The coordinates of monitoring sites, by code and by name.
    let sites: [String: Site]

    struct Site: Sendable {
        let latitude: Double
        let longitude: Double
    }

    init(kind: ObservationKind, columns: [String], sites: [String: Site]) throws(Failure) {
        self.kind = kind
        self.sites = sites
        let names = Set(columns)
        let value = kind == .air ? "index" : "count"
        let hasPlace = names.contains("postcode") || names.isSuperset(of: ["place", "latitude", "longitude"])
        if names.isSuperset(of: ["from", "to", value]), hasPlace {
            layout = .own
        } else if kind == .air, names.isSuperset(of: ["date", "site_code"]) {
            layout = .daily
        } else if kind == .air, names.isSuperset(of: ["date.utc", "location", "parameter", "value"]) {
            layout = .hourly
        } else {
            throw .refused(
                code: "columns",
                message:
                    "Unknown columns. Required: postcode (or place, latitude, longitude), from, to, \(value).")
        }
    }

    /// The observations of one row; an empty cell means that nothing was measured.
    func observations(_ row: [String: String], line: Int) throws(ObservationRefusal) -> [ObservationDraft] {
        switch layout {
        case .own: try own(row, line)
        case .daily: try daily(row, line)
        case .hourly: try hourly(row, line)
        }
    }

    // MARK: Own format

    private func own(_ row: [String: String], _ line: Int) throws(ObservationRefusal) -> [ObservationDraft] {
        let name = kind == .air ? "index" : "count"
        let text = row[name] ?? ""
        let value: Double
        if kind == .obstruction, text.lowercased() == "none" {
            value = 0
        } else if let number = Double(text), number.isFinite, (0...1_000_000).contains(number) {
            value = number
        } else {
            throw refusal(line, "\(name) \"\(text.prefix(40))\" is not a number from 0 to 1,000,000.")
        }
        guard let from = Timestamp(row["from"] ?? ""), let to = Timestamp(row["to"] ?? "") else {
            throw refusal(line, "from and to must be times with an offset, such as 2026-11-20T07:00:00Z.")
        }
        let site: ObservationDraft.Site
        if let text = row["postcode"], !text.isEmpty {
            guard let code = Postcode.key(text) else {
                throw refusal(line, "\"\(text.prefix(40))\" is not a postcode.")
            }
            site = .postcode(code)
        } else {
            site = try at(row["place"] ?? "", row["latitude"], row["longitude"], line)
        }
        return [
            ObservationDraft(line: line, site: site, measure: name, period: .between(from.text, to.text), value: value)
        ]
    }

    private func at(_ name: String, _ latitude: String?, _ longitude: String?, _ line: Int) throws(ObservationRefusal)
        -> ObservationDraft.Site
    {
        guard let latitude = latitude.flatMap({ Double($0) }), let longitude = longitude.flatMap({ Double($0) }),
            let point = RoutePoint(latitude: latitude, longitude: longitude)
        else { throw refusal(line, "latitude and longitude must be degrees, such as 51.50415 and -0.15312.") }
        let name = PlainText.singleLine(name)
        guard (1...100).contains(name.unicodeScalars.count) else {
            throw refusal(line, "place must be a name of 1 to 100 characters.")
        }
        return .at(name: name, latitude: point.latitude, longitude: point.longitude)
    }

    // MARK: Networks

    private func daily(_ row: [String: String], _ line: Int) throws(ObservationRefusal) -> [ObservationDraft] {
        let date = String((row["date"] ?? "").prefix(10))
        guard Timestamp(date + "T00:00:00Z") != nil else {
            throw refusal(line, "date must be a day, such as 2026-11-20.")
        }
        let site = try site(row["site_code"] ?? "", line)
        var observations: [ObservationDraft] = []
        for (column, text) in row.sorted(by: { $0.key < $1.key }) {
            guard !text.isEmpty, let substance = AirIndex(substance: column) else { continue }
            observations.append(try observation(substance, text, site, .day(date), line))
        }
        return observations
    }

    private func hourly(_ row: [String: String], _ line: Int) throws(ObservationRefusal) -> [ObservationDraft] {
        let text = (row["date.utc"] ?? "").replacing(" ", with: "T")
        guard let time = Timestamp(text) else {
            throw refusal(line, "date.utc must be a time, such as 2026-11-20 07:00:00+00:00.")
        }
        guard let substance = AirIndex(substance: row["parameter"] ?? "") else {
            throw refusal(line, "The substance \"\((row["parameter"] ?? "").prefix(40))\" is not supported.")
        }
        let unit = row["unit"] ?? "µg/m³"
        guard unit == "µg/m³" || unit == "ug/m3" else {
            throw refusal(line, "The unit \"\(unit.prefix(20))\" is not supported. Use µg/m³.")
        }
        let value = row["value"] ?? ""
        if value.isEmpty { return [] }
        let site = try site(row["location"] ?? "", line)
        return [try observation(substance, value, site, .hour(time.text), line)]
    }

    private func observation(
        _ substance: AirIndex, _ text: String, _ site: ObservationDraft.Site, _ period: ObservationPeriod, _ line: Int
    ) throws(ObservationRefusal) -> ObservationDraft {
        guard let number = Double(text), let index = substance.index(of: number) else {
            throw refusal(line, "\(substance.rawValue) \"\(text.prefix(40))\" is not a concentration.")
        }
        return ObservationDraft(
            line: line, site: site, measure: substance.rawValue, period: period, value: Double(index))
    }

    private func site(_ name: String, _ line: Int) throws(ObservationRefusal) -> ObservationDraft.Site {
        guard let site = sites[name] else {
            throw refusal(
                line, "The coordinates of \"\(name.prefix(60))\" are unknown. Add a file of sites with --sites.")
        }
        return .at(name: String(name.prefix(100)), latitude: site.latitude, longitude: site.longitude)
    }

    private func refusal(_ line: Int, _ reason: String) -> ObservationRefusal {
        ObservationRefusal(line: line, reason: reason)
    }
}
