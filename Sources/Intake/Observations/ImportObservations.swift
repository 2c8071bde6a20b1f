// Imports air quality readings and obstructions from files and publishes the affected routes.
import Domain
import Markup
import Platform
import Store

package struct ObservationImport: Sendable, Encodable {
    /// New and changed observations.
    package let recorded: Int
    /// Unchanged observations.
    package let known: Int
    package let refused: [ObservationRefusal]
    package let refusedRows: Int
    package let publication: Int64?

    private enum CodingKeys: String, CodingKey {
        case recorded, known, refused, publication
        case refusedRows = "refused_rows"
    }
}

package struct ImportObservations: Sendable {
    /// The most refused rows in the report.
    private static let reported = 20
    private static let batch = 5_000
    private static let jsonBytes = 64 << 20

    private let database: Database

    package init(database: Database) {
        self.database = database
    }

    /// The options of an import. `city` may be nil when the file names it; `sites` are CSV files with the coordinates
    /// of monitoring sites.
    package struct Options: Sendable {
        package var city: String?
        package var zone = "UTC"
        package var source = ""
        package var sites: [[UInt8]] = []

        package init() {}
    }

    /// Reads the file chunk by chunk from `next`, imports valid rows and reports the others. Each batch is recorded and
    /// published in one transaction; nothing is locked while the file is read. A file in an unknown format is refused
    /// as a whole; a batch with periods that overlap recorded ones is refused together with the rest of the file.
    package func callAsFunction(
        _ kind: ObservationKind, isJSON: Bool, _ options: Options, by actor: Actor,
        next: @Sendable @escaping () throws -> [UInt8]?
    ) async throws -> ObservationImport {
        try actor.require(.publish, "record observations")
        guard try await database.observations.isZone(options.zone) else {
            throw Failure.invalid(
                FieldErrors(
                    "/zone", "choice", "There is no time zone named \(options.zone). Use a name such as Europe/London.")
            )
        }
        let sites = try options.sites.reduce(into: [String: ObservationFormat.Site]()) { sites, file in
            sites.merge(try SiteFile.read(file)) { _, new in new }
        }
        var builder = ObservationBuilder(kind: kind, options: options, sites: sites)
        var publication: Int64?
        do {
            if isJSON {
                try builder.add(ObservationDocument.read(Self.whole(next), kind: kind))
            } else {
                while let chunk = try next() {
                    try builder.read(chunk)
                    if builder.drafts.count >= Self.batch {
                        publication = try await store(&builder, by: actor) ?? publication
                    }
                }
                try builder.endOfFile()
            }
            publication = try await store(&builder, by: actor) ?? publication
        } catch Failure.refused(let code, let message) where builder.processed > 0 {
            throw Failure.refused(
                code: code,
                message:
                    "\(message) The first \(builder.processed) observations were imported; import the file again for the rest."
            )
        }
        return ObservationImport(
            recorded: builder.recorded, known: builder.processed - builder.recorded,
            refused: Array(builder.refused.prefix(Self.reported)), refusedRows: builder.refused.count,
            publication: publication)
    }

    private static func whole(_ next: () throws -> [UInt8]?) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let chunk = try next() {
            bytes += chunk
            guard bytes.count <= jsonBytes else {
                throw Failure.refused(
                    code: "too_large", message: "The JSON file is larger than 64 MiB. Split it or use CSV.")
            }
        }
        return bytes
    }

    /// Records the drafts and publishes the affected routes in one transaction. Returns the publication, if any.
    private func store(_ builder: inout ObservationBuilder, by actor: Actor) async throws -> Int64? {
        let drafts = builder.drafts
        builder.drafts = []
        guard !drafts.isEmpty else { return nil }
        guard let city = builder.city, !PlainText.singleLine(city).isEmpty else {
            throw Failure.invalid(FieldErrors("/city", "required", "Set the city of the file with --city."))
        }
        let codes = Set(drafts.compactMap { if case .postcode(let code) = $0.site { code } else { nil } })
        let postcodes = codes.isEmpty ? [:] : try await database.observations.postcodes(of: Array(codes))
        var observations: [NewObservation] = []
        for draft in drafts {
            switch draft.site {
            case .at(let name, let latitude, let longitude):
                observations.append(draft.observation(at: name, latitude, longitude))
            case .postcode(let code):
                if let postcode = postcodes[code] {
                    observations.append(draft.observation(at: code, postcode.latitude, postcode.longitude))
                } else {
                    builder.refused.append(
                        ObservationRefusal(
                            line: draft.line,
                            reason: "The coordinates of the postcode \(code) are unknown. Import postcodes first."))
                }
            }
        }
        let options = builder.options
        let origin = ObservationOrigin(kind: builder.kind, city: city, zone: options.zone, source: options.source)
        let event = AuditEvent(
            "observation.import", on: origin.kind.rawValue,
            detail: ["source": .string(options.source), "city": .string(city)])
        let (recorded, publication) = try await database.transaction(by: actor, event) { [observations] transaction in
            (
                try await transaction.observations.record(observations, from: origin),
                try await transaction.publications.publish(
                    .listed([]), note: "\(origin.kind.rawValue) data from \(options.source)", by: actor)
            )
        }
        builder.recorded += recorded
        builder.processed += observations.count
        return publication
    }
}

extension ObservationDraft {
    fileprivate func observation(at place: String, _ latitude: Double, _ longitude: Double) -> NewObservation {
        NewObservation(
            site: place, measure: measure, latitude: latitude, longitude: longitude, period: period, value: value)
    }
}
