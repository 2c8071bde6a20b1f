// Brings in what is recorded of cities: air readings, obstructions, and where postcodes are.
import Domain
import Intake
import Platform
import Store

enum ImportObservationsCommand {
    private static let options: [Command.Option] = [
        .init("city", .text(placeholder: "NAME"), "The city that the file is about, as routes name it."),
        .init("zone", .text(placeholder: "ZONE"), "IANA time zone of times without an offset; UTC unless said."),
        .init("source", .text(placeholder: "TEXT"), "Where the data come from; the file's name unless said."),
        CommandRun.json,
    ]

    static let entries = [
        CommandEntry(
            command: Command(
                "import", "air", summary: "Records air quality of a city, and publishes the badges that it changes.",
                details: """
                    Reads CSV with the columns postcode (or place, latitude, longitude), from, to, index; daily means of sites \
                    (date, site_code, NO2, …); hourly means (date.utc, location, parameter, value); JSON lists of such rows; and \
                    the hourly index of the London Air Quality Network. Rows that cannot be taken are told; the others are recorded.
                    """,
                examples: [
                    .init("import air hourly.json", ""),
                    .init("import air daily.csv --city London --zone Europe/London --sites sites.csv", ""),
                ],
                options: [
                    .init(
                        "sites", .text(placeholder: "FILE"),
                        "CSV of where measuring sites are: site, latitude, longitude.")
                ] + options,
                positionals: [.init("file", "CSV or JSON, or its https address; - is CSV on standard input.")]),
            run: { try await observations(.air, $0) }),
        CommandEntry(
            command: Command(
                "import", "obstructions",
                summary: "Records what was retrieved of obstructions, and publishes the badges that it changes.",
                details: """
                    Reads CSV, or a JSON list of rows, with the columns postcode (or place, latitude, longitude), from, to, count. A \
                    count of 0 or none means: it was asked, and there were none.
                    """,
                examples: [.init("import obstructions morning.csv --city London", "")],
                options: options,
                positionals: [.init("file", "CSV or JSON, or its https address; - is CSV on standard input.")]),
            run: { try await observations(.obstruction, $0) }),
        CommandEntry(
            command: Command(
                "import", "postcodes", summary: "Records where postcodes are; they name the samples of routes.",
                details:
                    "Reads CSV with the columns postcode and latitude and longitude, or eastings and northings of the British grid.",
                examples: [.init("import postcodes codepoint.csv", "")],
                options: [
                    .init(
                        "source", .text(placeholder: "TEXT"), "Where the data come from; the file's name unless said."),
                    CommandRun.json,
                ],
                positionals: [.init("file", "CSV, or its https address; - is standard input.")]),
            run: postcodes),
    ]

    private static func importer(_ run: CommandRun) -> Actor {
        Actor(kind: .system, name: "import", requestID: run.operatorActor.requestID)
    }

    /// Of an address what stands before its query says it.
    private static func isJSON(_ path: String) -> Bool {
        (path.split(separator: "?").first ?? "").lowercased().hasSuffix(".json")
    }

    private static func source(_ run: CommandRun, _ path: String) -> String {
        run.arguments.text("source") ?? path.split(separator: "/").last.map(String.init) ?? path
    }

    private static func observations(_ kind: ObservationKind, _ run: CommandRun) async throws -> ExitCode {
        let path = run.arguments.argument("file") ?? "-"
        var options = ImportObservations.Options()
        options.city = run.arguments.text("city")
        options.zone = run.arguments.text("zone") ?? "UTC"
        options.source = source(run, path)
        if kind == .air, let sites = run.arguments.text("sites") { options.sites = [try run.read(sites)] }
        let pieces = try await FilePieces.open(path)
        let wanted = options
        let outcome = try await run.withDatabase { database, _ in
            try await ImportObservations(database: database)(
                kind, isJSON: isJSON(path), wanted, by: importer(run)
            ) { try pieces.next() }
        }
        if run.isJSON {
            try Output.json(outcome)
        } else {
            Output.line(
                "\(outcome.recorded) facts recorded, \(outcome.known) known before, \(outcome.refusedRows) rows refused"
                    + (outcome.publication.map { "; publication \($0)." } ?? "; nothing to publish."))
            notify(outcome.refused)
        }
        return outcome.refusedRows == 0 ? .ok : outcome.recorded + outcome.known > 0 ? .partial : .conflict
    }

    private static func postcodes(_ run: CommandRun) async throws -> ExitCode {
        let path = run.arguments.argument("file") ?? "-"
        let pieces = try await FilePieces.open(path)
        let outcome = try await run.withDatabase { database, _ in
            try await ImportPostcodes(database: database)(source: source(run, path), by: importer(run)) {
                try pieces.next()
            }
        }
        if run.isJSON {
            try Output.json(outcome)
        } else {
            Output.line("\(outcome.recorded) postcodes recorded, \(outcome.known) known before.")
            notify(outcome.refused)
        }
        return outcome.refused.isEmpty ? .ok : .partial
    }

    private static func notify(_ refused: [ObservationRefusal]) {
        for refusal in refused { Output.problem("line \(refusal.line): \(refusal.reason)") }
    }
}
