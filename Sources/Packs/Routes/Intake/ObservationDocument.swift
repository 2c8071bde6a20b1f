// Parses JSON files of observations: an array of rows as in our CSV, or the London Air Quality Network's hourly index.
import Domain
import Localization
import Markup
import Operations
import Store

enum ObservationDocument {
    struct Read {
        var city: String?
        var observations: [ObservationDraft] = []
        var refused: [ObservationRefusal] = []
        var empty = 0
    }

    static func read(_ bytes: [UInt8], kind: ObservationKind) throws(Failure) -> Read {
        let document = try JSONValue(parsing: bytes)
        if let network = document["HourlyAirQualityIndex"], kind == .air { return try network.laqn() }
        guard let rows = document.arrayValue ?? document["rows"]?.arrayValue else {
            throw .refused(code: "format", message: tr("The file is neither an array of rows nor an hourly index."))
        }
        var read = Read(city: document["city"]?.stringValue)
        // A row may lack what is empty, so all of them have the columns.
        let columns = rows.reduce(into: Set<String>()) { names, row in
            for name in (row.objectValue ?? [:]).keys { names.insert(name) }
        }
        let format = try ObservationFormat(
            kind: kind, columns: columns.sorted(), sites: SiteTable(), hasDecimalCommas: false)
        for (index, row) in rows.enumerated() {
            do throws(ObservationRefusal) {
                let cells = (row.objectValue ?? [:]).mapValues {
                    $0.stringValue ?? ($0 == .null ? "" : $0.canonicalText)
                }
                read.observations += try format.observations(cells, line: index + 1)
            } catch {
                read.refused.append(error)
            }
        }
        return read
    }
}

extension JSONValue {
    /// The observations in the network's response, where a single site or substance comes without an array.
    fileprivate func laqn() throws(Failure) -> ObservationDocument.Read {
        var read = ObservationDocument.Read(city: self["@GroupName"]?.stringValue)
        var number = 0
        for authority in list("LocalAuthority") {
            for site in authority.list("Site") {
                number += 1
                do throws(ObservationRefusal) {
                    let found = try site.readings(number)
                    if found.isEmpty { read.empty += 1 }
                    read.observations += found
                } catch {
                    read.refused.append(error)
                }
            }
        }
        guard number > 0 else { throw .refused(code: "format", message: tr("The hourly index has no sites.")) }
        return read
    }

    private func list(_ name: String) -> [JSONValue] {
        switch self[name] {
        case .array(let values): values
        case .object(let members): [.object(members)]
        default: []
        }
    }

    /// The observations of one site, counted from 1. An index of 0 means no data.
    private func readings(_ number: Int) throws(ObservationRefusal) -> [ObservationDraft] {
        let code = PlainText.singleLine(self["@SiteCode"]?.stringValue ?? "")
        let time = (self["@BulletinDate"]?.stringValue ?? "").replacing(" ", with: "T")
        guard (1...100).contains(code.unicodeScalars.count), Timestamp(time + "Z") != nil,
            let latitude = (self["@Latitude"]?.stringValue).flatMap({ DecimalText.degrees($0) }),
            let longitude = (self["@Longitude"]?.stringValue).flatMap({ DecimalText.degrees($0) }),
            let point = RoutePoint(latitude: latitude, longitude: longitude)
        else {
            throw ObservationRefusal(
                line: number, reason: tr("The site \"\(code)\" has no code, coordinates or bulletin time."))
        }
        var observations: [ObservationDraft] = []
        for species in list("Species") {
            guard let name = (species["@SpeciesCode"]?.stringValue).map(PlainText.singleLine),
                (1...50).contains(name.unicodeScalars.count),
                let index = (species["@AirQualityIndex"]?.stringValue).flatMap({ Int($0) }), (0...10).contains(index)
            else {
                throw ObservationRefusal(line: number, reason: tr("The site \"\(code)\" has an invalid index."))
            }
            if index == 0 { continue }
            observations.append(
                ObservationDraft(
                    line: number,
                    site: .at(name: code, latitude: point.latitude, longitude: point.longitude),
                    measure: name, period: .localHour(time), value: Double(index)))
        }
        return observations
    }
}
