// Imports the coordinates of postcodes: latitude and longitude, or eastings and northings of the British grid.
import Domain
import Localization
import Markup
import Operations
import Platform
import Store

package struct PostcodeImport: Sendable, Encodable {
    package var recorded = 0
    package var known = 0
    package var refused: [ObservationRefusal] = []
    package var publication: Int64?
}

package struct ImportPostcodes: Sendable {
    let database: Database
    let publish: PublishObservations

    /// Reads the file chunk by chunk from `next`, in one transaction; then publishes the routes whose samples now have
    /// other postcodes.
    package func callAsFunction(
        source: String, by actor: Actor, next: @Sendable @escaping () throws -> [UInt8]?
    ) async throws -> PostcodeImport {
        try actor.require(.publish, tr("record postcodes"))
        let event = AuditEvent("postcode.import", on: "postcode", detail: ["source": .string(source)])
        do {
            var outcome = try await record(source: source, by: actor, event, next: next)
            outcome.publication = try await publish(note: "Postcodes from \(source)", by: actor)
            return outcome
        } catch let nothing as NothingImported {
            if nothing.refused.isEmpty {
                throw Failure.refused(code: "empty", message: tr("The file has no rows."))
            }
            return PostcodeImport(refused: nothing.refused)
        }
    }

    private struct NothingImported: Error {
        let refused: [ObservationRefusal]
    }

    private func record(
        source: String, by actor: Actor, _ event: AuditEvent, next: @Sendable @escaping () throws -> [UInt8]?
    ) async throws -> PostcodeImport {
        try await database.transaction(by: actor, event) { transaction in
            var outcome = PostcodeImport()
            var reader = TableReader()
            var columns: Columns?
            var rows: [PostcodeRow] = []
            var processed = 0
            var isAtEnd = false
            while !isAtEnd {
                var records: [CSVReader.Record]
                do {
                    let bytes = try next()
                    isAtEnd = bytes == nil
                    records = try bytes.map { try reader.read($0) } ?? reader.finish()
                } catch let error as TableReader.Unreadable {
                    throw Failure.refused(code: "format", message: error.message)
                }
                for record in records {
                    guard let columns else {
                        columns = try Columns(record.fields, hasDecimalCommas: reader.hasDecimalCommas)
                        continue
                    }
                    do throws(ObservationRefusal) {
                        rows.append(try columns.row(record))
                    } catch {
                        if outcome.refused.count < 20 { outcome.refused.append(error) }
                    }
                }
                if rows.count >= 5_000 || isAtEnd, !rows.isEmpty {
                    outcome.recorded += try await transaction.observations.record(rows, source: source)
                    processed += rows.count
                    rows = []
                }
            }
            outcome.known = processed - outcome.recorded
            // Nothing is left of a file without a row that can be used.
            if processed == 0 { throw NothingImported(refused: outcome.refused) }
            return outcome
        }
    }

    /// The indexes of the columns.
    private struct Columns {
        let code: Int
        let north: Int
        let east: Int
        let isGrid: Bool
        let count: Int
        let hasDecimalCommas: Bool

        init(_ names: [String], hasDecimalCommas: Bool) throws(Failure) {
            let names = names.map { $0.lowercased() }
            count = names.count
            self.hasDecimalCommas = hasDecimalCommas
            guard let code = names.firstIndex(of: "postcode") else { throw Self.unknown }
            self.code = code
            if let latitude = names.firstIndex(of: "latitude"), let longitude = names.firstIndex(of: "longitude") {
                (north, east, isGrid) = (latitude, longitude, false)
            } else if let northing = names.firstIndex(of: "northings"), let easting = names.firstIndex(of: "eastings") {
                (north, east, isGrid) = (northing, easting, true)
            } else {
                throw Self.unknown
            }
        }

        private static var unknown: Failure {
            .refused(
                code: "columns",
                message: tr(
                    "Unknown columns. Required: postcode, and latitude and longitude or eastings and northings."))
        }

        private func number(_ text: String) -> Double? {
            isGrid ? DecimalText.number(text, hasDecimalCommas: hasDecimalCommas) : DecimalText.degrees(text)
        }

        func row(_ record: CSVReader.Record) throws(ObservationRefusal) -> PostcodeRow {
            guard record.fields.count == count else {
                throw ObservationRefusal(
                    line: record.line,
                    reason: tr("The row has \(record.fields.count) cells, but the first row has \(count)."))
            }
            guard let key = Postcode.key(record.fields[code]) else {
                throw ObservationRefusal(
                    line: record.line, reason: tr("\"\(record.fields[code].prefix(40))\" is not a postcode."))
            }
            guard let north = number(record.fields[north]), let east = number(record.fields[east]),
                let degrees = isGrid ? OSGrid.coordinates(easting: east, northing: north) : (north, east),
                let point = RoutePoint(latitude: degrees.0, longitude: degrees.1)
            else { throw ObservationRefusal(line: record.line, reason: tr("\(key) has no valid coordinates.")) }
            return PostcodeRow(code: key, latitude: point.latitude, longitude: point.longitude)
        }
    }
}
