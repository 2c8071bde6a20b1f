// Converts the rows of a file to observations: our own format and those of air quality networks.
import Domain
import Localization
import Markup
import Operations
import Store

/// The supported formats, detected by their columns:
/// * own: `postcode`, or `place`, `latitude` and `longitude`; `from` and `to`; `index` (air) or `count` (obstructions);
///   maybe `city`
/// * daily: `date`, `site_code` and a column of daily means for each substance, in micrograms
/// * hourly (OpenAQ): a time, a location, `parameter`, `value` and maybe a unit, a city and coordinates: one hour of one
///   substance in each row; exports of several years name the columns differently
/// * londonAir: `Site`, `Species`, `ReadingDateTime`, `Value`: one hour in GMT of one substance in each row
struct ObservationFormat {
    enum Layout: Equatable {
        case own, daily, londonAir
        case hourly(time: String, location: String)
    }

    let kind: ObservationKind
    let layout: Layout
    let sites: SiteTable
    /// Whether the rows are of a table whose numbers have decimal commas.
    let hasDecimalCommas: Bool

    init(kind: ObservationKind, columns: [String], sites: SiteTable, hasDecimalCommas: Bool) throws(Failure) {
        self.kind = kind
        self.sites = sites
        self.hasDecimalCommas = hasDecimalCommas
        let names = Set(columns)
        let value = kind == .air ? "index" : "count"
        let hasPlace = names.contains("postcode") || names.isSuperset(of: ["place", "latitude", "longitude"])
        let time = ["date.utc", "utc", "datetime", "datetimeUtc"].first(where: names.contains)
        let location = ["location", "location_name"].first(where: names.contains)
        if names.isSuperset(of: ["from", "to", value]), hasPlace {
            layout = .own
        } else if kind == .air, names.isSuperset(of: ["date", "site_code"]) {
            layout = .daily
        } else if kind == .air, names.isSuperset(of: ["Site", "Species", "ReadingDateTime", "Value"]) {
            layout = .londonAir
        } else if kind == .air, let time, let location, names.isSuperset(of: ["parameter", "value"]) {
            layout = .hourly(time: time, location: location)
        } else {
            throw .refused(
                code: "columns",
                message:
                    tr("Unknown columns. Required: postcode (or place, latitude, longitude), from, to, \(value)."))
        }
    }

    /// The observations of one row; an empty cell means that nothing was measured, a substance without index counts as
    /// empty.
    func observations(_ row: [String: String], line: Int) throws(ObservationRefusal) -> [ObservationDraft] {
        switch layout {
        case .own: try own(row, line)
        case .daily: try daily(row, line)
        case .londonAir: try londonAir(row, line)
        case .hourly(let time, let location): try hourly(row, time: time, location: location, line)
        }
    }

    // MARK: Own format

    private func own(_ row: [String: String], _ line: Int) throws(ObservationRefusal) -> [ObservationDraft] {
        let name = kind == .air ? "index" : "count"
        let text = row[name] ?? ""
        let value: Double
        if kind == .obstruction, text.lowercased() == "none" {
            value = 0
        } else if let number = number(text), (0...1_000_000).contains(number) {
            value = number
        } else {
            throw refusal(line, tr("\(name) \"\(text.prefix(40))\" is not a number from 0 to 1,000,000."))
        }
        guard let from = Timestamp(row["from"] ?? ""), let to = Timestamp(row["to"] ?? "") else {
            throw refusal(line, tr("from and to must be times with an offset, such as 2026-11-20T07:00:00Z."))
        }
        // The database would refuse all rows that are recorded with this one.
        guard to.isAfter(from), !to.isAfter(from, byDays: 31) else {
            throw refusal(line, tr("to must be after from, and at most 31 days later."))
        }
        let site: ObservationDraft.Site
        if let text = row["postcode"], !text.isEmpty {
            guard let code = Postcode.key(text) else {
                throw refusal(line, tr("\"\(text.prefix(40))\" is not a postcode."))
            }
            site = .postcode(code)
        } else {
            site = try at(row["place"] ?? "", row["latitude"], row["longitude"], line)
        }
        return [
            ObservationDraft(
                line: line, site: site, measure: name, period: .between(from.text, to.text), value: value,
                city: try city(row, line))
        ]
    }

    private func number(_ text: String) -> Double? {
        DecimalText.number(text, hasDecimalCommas: hasDecimalCommas)
    }

    private func city(_ row: [String: String], _ line: Int) throws(ObservationRefusal) -> String? {
        guard let city = row["city"].map(PlainText.singleLine), !city.isEmpty else { return nil }
        // The database would refuse all rows that are recorded with this one.
        guard city.unicodeScalars.count <= 200 else {
            throw refusal(line, tr("city must be a name of at most 200 characters."))
        }
        return city
    }

    private func at(_ name: String, _ latitude: String?, _ longitude: String?, _ line: Int) throws(ObservationRefusal)
        -> ObservationDraft.Site
    {
        guard let latitude = latitude.flatMap({ DecimalText.degrees($0) }),
            let longitude = longitude.flatMap({ DecimalText.degrees($0) }),
            let point = RoutePoint(latitude: latitude, longitude: longitude)
        else { throw refusal(line, tr("latitude and longitude must be degrees, such as 51.50415 and -0.15312.")) }
        let name = PlainText.singleLine(name)
        guard (1...100).contains(name.unicodeScalars.count) else {
            throw refusal(line, tr("place must be a name of 1 to 100 characters."))
        }
        return .at(name: name, latitude: point.latitude, longitude: point.longitude)
    }

    // MARK: Networks

    private func daily(_ row: [String: String], _ line: Int) throws(ObservationRefusal) -> [ObservationDraft] {
        let date = String((row["date"] ?? "").prefix(10))
        guard Timestamp(date + "T00:00:00Z") != nil else {
            throw refusal(line, tr("date must be a day, such as 2026-11-20."))
        }
        let site = try site(row["site_code"] ?? "", line)
        var observations: [ObservationDraft] = []
        for (column, text) in row.sorted(by: { $0.key < $1.key }) {
            guard !text.isEmpty, let substance = AirIndex(substance: column) else { continue }
            observations.append(try observation(substance, text, site, .day(date), line))
        }
        return observations
    }

    private func hourly(
        _ row: [String: String], time: String, location: String, _ line: Int
    ) throws(ObservationRefusal) -> [ObservationDraft] {
        guard let hour = Timestamp((row[time] ?? "").replacing(" ", with: "T")) else {
            throw refusal(line, tr("\(time) must be a time, such as 2026-11-20 07:00:00+00:00."))
        }
        guard let substance = AirIndex(substance: row["parameter"] ?? ""), let value = try value(row["value"], line)
        else { return [] }
        try check(unit: row["unit"] ?? row["units"], line)
        let name = row[location] ?? ""
        let site: ObservationDraft.Site =
            if let latitude = row["latitude"] ?? row["lat"], !latitude.isEmpty {
                try at(name, latitude, row["longitude"] ?? row["lon"], line)
            } else {
                try self.site(name, line)
            }
        var draft = try observation(substance, value, site, .hour(hour.text), line)
        draft.city = try city(row, line)
        return [draft]
    }

    private func londonAir(_ row: [String: String], _ line: Int) throws(ObservationRefusal) -> [ObservationDraft] {
        // 20/11/2026 07:00
        let parts = (row["ReadingDateTime"] ?? "").split(whereSeparator: { " /".contains($0) })
        guard parts.count == 4, let hour = Timestamp("\(parts[2])-\(parts[1])-\(parts[0])T\(parts[3]):00Z") else {
            throw refusal(line, tr("ReadingDateTime must be a time, such as 20/11/2026 07:00."))
        }
        guard let substance = AirIndex(substance: row["Species"] ?? ""), let value = try value(row["Value"], line)
        else { return [] }
        try check(unit: row["Units"], line)
        return [try observation(substance, value, try site(row["Site"] ?? "", line), .hour(hour.text), line)]
    }

    /// Nil for an empty cell and for the codes of missing data.
    private func value(_ text: String?, _ line: Int) throws(ObservationRefusal) -> String? {
        guard let text, !text.isEmpty, !["-999", "-999.0", "-9999", "-9999.0"].contains(text) else { return nil }
        return text
    }

    /// Micrograms per cubic meter in the spellings of the networks; a missing unit means the same.
    private func check(unit: String?, _ line: Int) throws(ObservationRefusal) {
        guard let unit, !unit.isEmpty else { return }
        let letters = unit.lowercased().replacing("μ", with: "u").replacing("µ", with: "u").replacing("³", with: "3")
            .filter { $0.isLetter || $0.isNumber }
        guard letters == "ugm3" else {
            throw refusal(line, tr("The unit \"\(unit.prefix(20))\" is not supported. Use µg/m³."))
        }
    }

    private func observation(
        _ substance: AirIndex, _ text: String, _ site: ObservationDraft.Site, _ period: ObservationPeriod, _ line: Int
    ) throws(ObservationRefusal) -> ObservationDraft {
        // Instruments near their limit of detection report values slightly below zero.
        guard let number = number(text),
            let index = substance.index(of: number >= -10 ? max(0, number) : number)
        else {
            throw refusal(line, tr("\(substance.rawValue) \"\(text.prefix(40))\" is not a concentration."))
        }
        return ObservationDraft(
            line: line, site: site, measure: substance.rawValue, period: period, value: Double(index))
    }

    private func site(_ text: String, _ line: Int) throws(ObservationRefusal) -> ObservationDraft.Site {
        let (code, point) = sites.find(text)
        guard (1...100).contains(code.unicodeScalars.count) else {
            throw refusal(line, tr("The site must be a code or name of 1 to 100 characters."))
        }
        guard let point else { return .named(code) }
        return .at(name: code, latitude: point.latitude, longitude: point.longitude)
    }

    private func refusal(_ line: Int, _ reason: String) -> ObservationRefusal {
        ObservationRefusal(line: line, reason: reason)
    }
}
