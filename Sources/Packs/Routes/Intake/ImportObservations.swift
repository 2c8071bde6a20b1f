// Imports air quality readings and obstructions from files and publishes the affected routes.
import Domain
import Localization
import Markup
import Operations
import Platform
import Store

package struct ObservationImport: Sendable, Encodable {
    /// New and changed observations.
    package let recorded: Int
    /// Unchanged observations.
    package let known: Int
    package let refused: [ObservationRefusal]
    package let refusedRows: Int
    /// Sites without known coordinates: their values count for the mean of the city only.
    package let unlocatedSites: [String]
    /// Other sources with values of the same sites at the same time, which count too.
    package let otherSources: [String]
    package let publication: Int64?

    private enum CodingKeys: String, CodingKey {
        case recorded, known, refused, publication
        case refusedRows = "refused_rows"
        case unlocatedSites = "unlocated_sites"
        case otherSources = "other_sources"
    }
}

package struct ImportObservations: Sendable {
    /// The most refused rows in the report.
    private static let reported = 20
    private static let batch = 5_000
    private static let jsonBytes = 64 << 20

    let database: Database
    let publish: PublishObservations

    /// The options of an import. `city` is that of all rows, or nil if the file names it; `sites` are files that describe
    /// monitoring sites (`SiteTable`).
    package struct Options: Sendable {
        package var city: String?
        package var zone = "UTC"
        package var source = ""
        package var sites: [[UInt8]] = []

        package init() {}
    }

    /// Reads the file chunk by chunk from `next`, imports valid rows and reports the others. Each batch is recorded in
    /// one transaction, then all are published in pieces: other publications run between them, and `progress` gets the
    /// number of pending periods. A file in an unknown format is refused as a whole. What the same source recorded before is
    /// replaced where it overlaps (C20).
    package func callAsFunction(
        _ kind: ObservationKind, isJSON: Bool, _ options: Options, by actor: Actor,
        progress: @Sendable (Int) -> Void = { _ in }, next: @Sendable @escaping () throws -> [UInt8]?
    ) async throws -> ObservationImport {
        try actor.require(.publish, tr("record observations"))
        guard try await database.zones.contains(options.zone) else {
            throw Failure.invalid(
                FieldErrors(
                    "/zone", "choice",
                    tr("There is no time zone named \(options.zone). Use a name such as Europe/London."))
            )
        }
        let note = "Import of \(kind.rawValue) data from \(options.source)"
        var sites = SiteTable()
        for file in options.sites { try sites.read(file) }
        var builder = ObservationBuilder(kind: kind, options: options, sites: sites)
        do {
            if isJSON {
                try builder.add(ObservationDocument.read(Self.whole(next), kind: kind))
            } else {
                while let chunk = try next() {
                    try builder.read(chunk)
                    if builder.drafts.count >= Self.batch {
                        try await store(&builder, by: actor)
                    }
                }
                try builder.endOfFile()
            }
            try await store(&builder, by: actor)
            if builder.processed == 0, builder.refused.isEmpty {
                throw Failure.refused(code: "empty", message: tr("The file has no values to import."))
            }
        } catch Failure.refused(let code, let message) where builder.processed > 0 {
            _ = try await publish(note: note, by: actor, progress: progress)
            throw Failure.refused(
                code: code,
                message:
                    tr(
                        "\(message) The first \(builder.processed) observations were imported; import the file again for the rest."
                    )
            )
        }
        return ObservationImport(
            recorded: builder.recorded, known: builder.processed - builder.recorded,
            refused: Array(builder.refused.prefix(Self.reported)), refusedRows: builder.refused.count,
            unlocatedSites: builder.unlocated.sorted(), otherSources: builder.otherSources.sorted(),
            publication: try await publish(note: note, by: actor, progress: progress))
    }

    private static func whole(_ next: () throws -> [UInt8]?) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let chunk = try next() {
            bytes += chunk
            guard bytes.count <= jsonBytes else {
                throw Failure.refused(
                    code: "too_large", message: tr("The JSON file is larger than 64 MiB. Split it or use CSV."))
            }
        }
        return bytes
    }

    /// Records the drafts, city by city, in one transaction.
    private func store(_ builder: inout ObservationBuilder, by actor: Actor) async throws {
        let drafts = builder.drafts
        builder.drafts = []
        guard !drafts.isEmpty else { return }
        var cities: [String: [NewObservation]] = [:]
        for (city, drafts) in Dictionary(
            grouping: drafts, by: { builder.options.city ?? $0.city ?? builder.city ?? "" })
        {
            guard !PlainText.singleLine(city).isEmpty else {
                throw Failure.invalid(FieldErrors("/city", "required", tr("Set the city of the file with --city.")))
            }
            let found = try await located(drafts, city, &builder)
            if !found.isEmpty { cities[city] = found }
        }
        if cities.isEmpty { return }
        let (kind, zone, source) = (builder.kind, builder.options.zone, builder.options.source)
        let event = AuditEvent(
            "observation.import", on: kind.rawValue,
            detail: ["source": .string(source), "city": .string(cities.keys.sorted().joined(separator: ", "))])
        let outcome = try await database.transaction(by: actor, event) { [cities] transaction in
            var outcome = (count: 0, others: [String]())
            for (city, observations) in cities.sorted(by: { $0.key < $1.key }) {
                let recorded = try await transaction.observations.record(
                    observations, from: ObservationOrigin(kind: kind, city: city, zone: zone, source: source))
                outcome.count += recorded.count
                outcome.others += recorded.otherSources
            }
            return outcome
        }
        builder.recorded += outcome.count
        builder.processed += cities.values.reduce(0) { $0 + $1.count }
        builder.otherSources.formUnion(outcome.others)
    }

    /// The drafts with the coordinates of their postcodes, and of sites that are known from earlier observations.
    private func located(
        _ drafts: [ObservationDraft], _ city: String, _ builder: inout ObservationBuilder
    ) async throws -> [NewObservation] {
        let codes = Set(drafts.compactMap { if case .postcode(let code) = $0.site { code } else { nil } })
        let names = Set(drafts.compactMap { if case .named(let name) = $0.site { name } else { nil } })
        let postcodes = codes.isEmpty ? [:] : try await database.observations.postcodes(of: Array(codes))
        let sites =
            names.isEmpty
            ? [:] : try await database.observations.coordinates(of: Array(names), builder.kind, city: city)
        builder.unlocated.formUnion(names.filter { sites[$0] == nil })
        var observations: [NewObservation] = []
        for draft in drafts {
            switch draft.site {
            case .at(let name, let latitude, let longitude):
                observations.append(draft.observation(at: name, latitude, longitude))
            case .named(let name):
                observations.append(draft.observation(at: name, sites[name]?.latitude, sites[name]?.longitude))
            case .postcode(let code):
                if let postcode = postcodes[code] {
                    observations.append(draft.observation(at: code, postcode.latitude, postcode.longitude))
                } else {
                    builder.refused.append(
                        ObservationRefusal(
                            line: draft.line,
                            reason: tr("The coordinates of the postcode \(code) are unknown. Import postcodes first.")))
                }
            }
        }
        return observations
    }
}

extension ObservationDraft {
    fileprivate func observation(at site: String, _ latitude: Double?, _ longitude: Double?) -> NewObservation {
        NewObservation(
            site: site, measure: measure, latitude: latitude, longitude: longitude, period: period, value: value)
    }
}
