// Records air readings and obstructions from files, with their source and time, and publishes what they change.
import Domain
import Markup
import Platform
import Store

package struct ObservationImport: Sendable, Encodable {
    /// New facts, and those that say something else than before.
    package let recorded: Int
    /// Observations that were known alike.
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
    /// Rows are told one by one up to this number.
    private static let notified = 20
    private static let batch = 5_000
    private static let jsonBytes = 64 << 20

    private let database: Database

    package init(database: Database) {
        self.database = database
    }

    /// What the importer is told beside the file. `city` may be nil where the file names it; `sites` are CSV files that say
    /// where measuring sites are.
    package struct Options: Sendable {
        package var city: String?
        package var zone = "UTC"
        package var source = ""
        package var sites: [[UInt8]] = []

        package init() {}
    }

    /// Takes the file piece by piece from `next`: all that can be taken, and told what cannot. So many facts at a time are
    /// recorded and published in one transaction; nothing is locked while the file is read. A file that is something else is
    /// refused as a whole; one whose times cross recorded ones from there on, with the transaction that they are in.
    package func callAsFunction(
        _ kind: ObservationKind, isJSON: Bool, _ options: Options, by actor: Actor,
        next: @Sendable @escaping () throws -> [UInt8]?
    ) async throws -> ObservationImport {
        try actor.require(.publish, "record facts")
        guard try await database.observations.isZone(options.zone) else {
            throw Failure.invalid(FieldErrors("/zone", "choice", "There is no time zone named \(options.zone)."))
        }
        let sites = try options.sites.reduce(into: [String: ObservationFormat.Place]()) { sites, file in
            sites.merge(try SiteFile.read(file)) { _, new in new }
        }
        var taking = ObservationBuilder(kind: kind, options: options, sites: sites)
        var publication: Int64?
        do {
            if isJSON {
                try taking.take(ObservationDocument.read(Self.whole(next), kind: kind))
            } else {
                while let more = try next() {
                    try taking.read(more)
                    if taking.drafts.count >= Self.batch {
                        publication = try await store(&taking, by: actor) ?? publication
                    }
                }
                try taking.endOfFile()
            }
            publication = try await store(&taking, by: actor) ?? publication
        } catch Failure.refused(let code, let message) where taking.taken > 0 {
            throw Failure.refused(
                code: code,
                message: "\(message) The \(taking.taken) facts before were taken; the same file again takes the others."
            )
        }
        return ObservationImport(
            recorded: taking.recorded, known: taking.taken - taking.recorded,
            refused: Array(taking.refused.prefix(Self.notified)), refusedRows: taking.refused.count,
            publication: publication)
    }

    private static func whole(_ next: () throws -> [UInt8]?) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let more = try next() {
            bytes += more
            guard bytes.count <= jsonBytes else {
                throw Failure.refused(code: "too_large", message: "A JSON file may have at most 64 MiB.")
            }
        }
        return bytes
    }

    /// Records what was read and publishes what that changes, in one transaction: the publication, if any.
    private func store(_ taking: inout ObservationBuilder, by actor: Actor) async throws -> Int64? {
        let drafts = taking.drafts
        taking.drafts = []
        guard !drafts.isEmpty else { return nil }
        guard let city = taking.city, !PlainText.singleLine(city).isEmpty else {
            throw Failure.invalid(FieldErrors("/city", "required", "Say with --city which city the file is about."))
        }
        let codes = Set(drafts.compactMap { if case .postcode(let code) = $0.place { code } else { nil } })
        let places = codes.isEmpty ? [:] : try await database.observations.places(of: Array(codes))
        var observations: [NewObservation] = []
        for draft in drafts {
            switch draft.place {
            case .at(let name, let latitude, let longitude):
                observations.append(draft.observation(at: name, latitude, longitude))
            case .postcode(let code):
                if let place = places[code] {
                    observations.append(draft.observation(at: code, place.latitude, place.longitude))
                } else {
                    taking.refused.append(
                        ObservationRefusal(
                            line: draft.line,
                            reason: "Where the postcode \(code) is, is not known; import postcodes first."))
                }
            }
        }
        let options = taking.options
        let origin = ObservationOrigin(kind: taking.kind, city: city, zone: options.zone, source: options.source)
        let event = AuditEvent(
            "observation.import", on: origin.kind.rawValue,
            detail: ["source": .string(options.source), "city": .string(city)])
        let (recorded, publication) = try await database.change(by: actor, event) { [observations] change in
            (
                try await change.observations.record(observations, from: origin),
                try await change.publications.publish(
                    .these([]), note: "\(origin.kind.rawValue) data from \(options.source)", by: actor)
            )
        }
        taking.recorded += recorded
        taking.taken += observations.count
        return publication
    }
}

extension ObservationDraft {
    fileprivate func observation(at place: String, _ latitude: Double, _ longitude: Double) -> NewObservation {
        NewObservation(
            place: place, measure: measure, latitude: latitude, longitude: longitude, period: period, value: value)
    }
}
