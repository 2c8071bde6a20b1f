// Imports observations of cities: air quality, obstructions, and coordinates of postcodes.
import CommandKit
import Domain
import Operations
import Platform
import Store

enum ObservationImportCommand {
    private enum Arguments {
        static let city = Command.Option(
            "city", .text(placeholder: "NAME"), "City of all rows, as named in routes; else as the file names it.")
        static let zone = Command.Option(
            "zone", .text(placeholder: "ZONE"), "IANA time zone of times without an offset; UTC by default.")
        static let sites = Command.Option(
            "sites", .text(placeholder: "FILE"),
            "Sites with coordinates: CSV with site or site_code, latitude and longitude, or JSON of the London network.",
            isRepeatable: true)
        static let file = Command.Positional("file", "CSV or JSON file or https URL; - for CSV on standard input.")
    }

    private static let options: [Command.Option] = [
        Arguments.city, Arguments.zone, source, CommandRun.json,
    ]
    private static let source = Command.Option(
        "source", .text(placeholder: "TEXT"),
        "Name of the source; the file name by default. Newer values replace older ones of the same source.")

    static let entries = [
        CommandEntry(
            "import", "air", summary: "Import air quality readings and publish the changed badges.",
            details: """
                Reads CSV with the columns postcode (or place, latitude, longitude), from, to, index; daily means of sites \
                (date, site_code, NO2, …); exports of OpenAQ and London Air; JSON lists of such rows; and the hourly index \
                of the London Air Quality Network. Newer values of the same source replace what they overlap. Rejected rows \
                are reported; the others are imported. Sites without coordinates count for the mean of the city only.
                """,
            examples: [
                .init("import air hourly.json", ""),
                .init("import air daily.csv --city London --zone Europe/London --sites hourly.json", ""),
            ],
            options: [Arguments.sites] + options, positionals: [Arguments.file],
            run: { try await observations(.air, $0) }),
        CommandEntry(
            "import", "obstructions", summary: "Import obstructions and publish the changed badges.",
            details: """
                Reads CSV, or a JSON list of rows, with the columns postcode (or place, latitude, longitude), from, to, count. \
                A count of 0 or none means: checked, no obstruction. Newer values of the same source replace what they \
                overlap.
                """,
            examples: [.init("import obstructions morning.csv --city London", "")], options: options,
            positionals: [Arguments.file], run: { try await observations(.obstruction, $0) }),
        CommandEntry(
            "import", "postcodes", summary: "Import coordinates of postcodes, which name the samples of routes.",
            details: "Reads CSV with the columns postcode and latitude and longitude, or eastings and northings.",
            examples: [.init("import postcodes codepoint.csv", "")], options: [source, CommandRun.json],
            positionals: [Arguments.file.with(summary: "CSV file or https URL; - for standard input.")],
            run: postcodes),
    ]

    private static func importer(_ run: CommandRun) -> Actor {
        Actor(kind: .system, name: "import", requestID: run.operatorActor.requestID)
    }

    /// Whether a path or URL ends in .json; the query of a URL is ignored.
    private static func isJSON(_ path: String) -> Bool {
        (path.split(separator: "?").first ?? "").lowercased().hasSuffix(".json")
    }

    private static func source(_ run: CommandRun, _ path: String) -> String {
        run.arguments.text(Self.source) ?? path.split(separator: "/").last.map(String.init) ?? path
    }

    private static func observations(_ kind: ObservationKind, _ run: CommandRun) async throws -> ExitCode {
        let path = run.arguments.argument(Arguments.file) ?? "-"
        var options = ImportObservations.Options()
        options.city = run.arguments.text(Arguments.city)
        options.zone = run.arguments.text(Arguments.zone) ?? "UTC"
        options.source = source(run, path)
        if kind == .air { options.sites = try run.arguments.texts(Arguments.sites).map(run.read) }
        let pieces = try await FileChunks.open(path)
        let chosenOptions = options
        let note = RegularNote()
        let outcome = try await run.withDatabase { _, services in
            try await services.importObservations(
                kind, isJSON: isJSON(path), chosenOptions, by: importer(run),
                progress: { note("\($0) validity periods are still to be published.") },
                next: { try pieces.next() })
        }
        if run.isJSON {
            try Output.json(outcome)
        } else {
            Output.line(
                "\(outcome.recorded) observations imported, \(outcome.known) unchanged, \(outcome.refusedRows) rows rejected"
                    + (outcome.publication.map { "; publication \($0)." } ?? "; nothing to publish."))
            if !outcome.unlocatedSites.isEmpty {
                let sites = outcome.unlocatedSites
                Output.note(
                    "Sites without coordinates, which count for the mean of the city only: \(sites.count) ("
                        + sites.prefix(5).joined(separator: ", ") + (sites.count > 5 ? ", …" : "")
                        + "). Set --sites to a file that has them.")
            }
            if let other = outcome.otherSources.first {
                Output.note(
                    "The source \"\(other)\" has values of the same sites at the same time, which count too. To replace "
                        + "them, import with --source \"\(other)\".")
            }
            report(outcome.refused)
        }
        return .ofImport(taken: outcome.recorded + outcome.known, refused: outcome.refusedRows)
    }

    private static func postcodes(_ run: CommandRun) async throws -> ExitCode {
        let path = run.arguments.argument(Arguments.file) ?? "-"
        let pieces = try await FileChunks.open(path)
        let outcome = try await run.withDatabase { _, services in
            try await services.importPostcodes(source: source(run, path), by: importer(run)) {
                try pieces.next()
            }
        }
        try run.report(json: outcome, "\(outcome.recorded) postcodes imported, \(outcome.known) unchanged.")
        if !run.isJSON { report(outcome.refused) }
        return .ofImport(taken: outcome.recorded + outcome.known, refused: outcome.refused.count)
    }

    private static func report(_ refused: [ObservationRefusal]) {
        for refusal in refused { Output.problem("line \(refusal.line): \(refusal.reason)") }
    }
}
