// Imports places and cities from tables and GeoJSON files.
import CommandKit
import Domain
import FoundationEssentials
import Glibc
import Operations
import Platform
import Store

enum EntryImportCommand {
    private enum Arguments {
        static let plan = Command.Option("plan", .flag, "Show the changes without making them.")
        static let source = Command.Option(
            "source", .text(placeholder: "NAME"), "Owner of the row ids; the file name by default.")
        static let map = Command.Option(
            "map", .text(placeholder: "FIELD=COLUMN"), "Column of a field, if it has another name.", isRepeatable: true)
        static let verbose = Command.Option("verbose", .flag, "Report every new or changed row, not only errors.")
        static let city = Command.Option("city", .text(placeholder: "CITY"), "City of every row, by slug or name.")
        static let category = Command.Option(
            "category", .text(placeholder: "CATEGORY"), "Category of rows without a known category.", isRepeatable: true
        )
        static let makeCategories = Command.Option(
            "make-categories", .text(placeholder: "GROUP"), "Create unknown categories in this group.")
        static let image = Command.Option("image", .text(placeholder: "URL"), "Image of rows without one.")
        static let file = Command.Positional("file", "Table or GeoJSON file or https URL; - for standard input.")
    }

    private static let options: [Command.Option] = [
        Arguments.plan, Arguments.source, Arguments.map, CommandRun.publish, CommandRun.approve,
        CommandRun.release.with(summary: "Approve and add to this release."),
        CommandRun.at, CommandRun.zone, Arguments.verbose, CommandRun.json,
    ]

    static let entries = [
        CommandEntry(
            "import", "places", summary: "Import places from a table or GeoJSON file.",
            details:
                "Tables are separated by commas, semicolons, tabs or pipes (|) and name their columns in the first "
                + "line. Rows are matched by id: a newer file of the same source updates its places. Columns "
                + "without a field become extra attributes.",
            examples: [
                .init(
                    "import places pubs.geojson --city london --plan", "counts new, changed, unchanged, rejected"),
                .init("import places food.csv --city london --make-categories place --publish", ""),
            ],
            options: [Arguments.city, Arguments.category, Arguments.makeCategories, Arguments.image] + options,
            positionals: [Arguments.file], run: { try await run($0, type: "place") }),
        CommandEntry(
            "import", "cities", summary: "Import cities from a table, such as those of GeoNames.",
            examples: [.init("import cities cities15000.tsv --publish", "")], options: options,
            positionals: [Arguments.file.with(summary: "Table or JSON file or https URL; - for standard input.")],
            run: { try await run($0, type: "city") }),
    ]

    private static func run(_ run: CommandRun, type: String) async throws -> ExitCode {
        let path = run.arguments.argument(Arguments.file) ?? "-"
        let options = try options(run, path, type: type)
        let isPlan = run.arguments.flag(Arguments.plan)
        let (isVerbose, isJSON) = (run.arguments.flag(Arguments.verbose), run.isJSON)
        let result = try await run.withDatabase { _, services in
            let file = try await FileChunks.open(path)
            let records = RecordReader { try file.next() ?? [] }
            let work = services.importEntries
            func report(_ line: ImportLine) {
                if isJSON {
                    if isVerbose { try? Output.json(line) }
                } else if line.state == .error || line.isBlocked {
                    Output.problem("\(line.location): \(line.title): \(line.message ?? "")")
                } else if isVerbose, line.state != .unchanged {
                    let fields = line.fields.isEmpty ? "" : " (\(line.fields.joined(separator: ", ")))"
                    Output.line("\(line.state.rawValue)  \(line.title)\(fields)\(line.message.map { " " + $0 } ?? "")")
                }
            }
            return isPlan
                ? try await work.plan(records, type: type, options, notify: report)
                : try await work.apply(records, type: type, options, by: run.operatorActor, notify: report)
        }
        if isJSON { try Output.json(result) } else { printReport(result, isPlan: isPlan) }
        return .ofImport(
            taken: result.new + result.changed + result.unchanged, refused: result.errors + result.blocked)
    }

    private static func options(_ run: CommandRun, _ path: String, type: String) throws -> ImportOptions {
        let arguments = run.arguments
        let name = path.split(separator: "/").last.map(String.init) ?? path
        var options = ImportOptions(source: arguments.text(Arguments.source) ?? name)
        for pair in arguments.texts(Arguments.map) {
            let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else {
                throw Failure.invalid(FieldErrors("--map", "format", "Enter --map FIELD=COLUMN, not \"\(pair)\"."))
            }
            options.columns[parts[0]] = parts[1]
        }
        options.publishTiming = try run.publishTiming(otherwise: .draft)
        guard type == "place" else { return options }
        options.city = arguments.text(Arguments.city)
        options.categories = arguments.texts(Arguments.category)
        options.createCategoriesIn = arguments.text(Arguments.makeCategories)
        options.image = arguments.text(Arguments.image)
        return options
    }

    private static func printReport(_ report: ImportReport, isPlan: Bool) {
        let verb = isPlan ? "would be " : ""
        Output.line(
            "\(report.new) \(verb)new, \(report.changed) \(verb)changed, \(report.unchanged) unchanged, \(report.errors) with errors"
        )
        if !report.unknownCategories.isEmpty {
            let names = report.unknownCategories.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            let shown = names.prefix(20).map { "\($0.key) (\($0.value))" }.joined(separator: ", ")
            Output.note("\(names.count) unknown categories: \(shown)\(names.count > 20 ? ", …" : "")")
        }
        if !report.archivedCategories.isEmpty {
            let names = report.archivedCategories.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            let shown = names.prefix(20).map { "\($0.key) (\($0.value))" }.joined(separator: ", ")
            Output.note("\(names.count) archived categories, not assigned: \(shown)\(names.count > 20 ? ", …" : "")")
        }
        if report.blocked > 0 { Output.line("\(report.blocked) approved but not published, with the reasons above") }
        if let release = report.release { Output.line("added to release \(release)") }
        if let last = report.publications.last {
            Output.line(
                report.publications.count == 1
                    ? "publication \(last)" : "\(report.publications.count) publications, the last is \(last)")
        }
    }
}
