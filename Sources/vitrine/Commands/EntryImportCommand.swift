// Imports places and cities from tables and GeoJSON files.
import Domain
import Editorial
import FoundationEssentials
import Glibc
import Platform
import Store

enum EntryImportCommand {
    private static let options: [Command.Option] = [
        .init("plan", .flag, "Show the changes without making them."),
        .init("source", .text(placeholder: "NAME"), "Owner of the row ids; the file name by default."),
        .init(
            "map", .text(placeholder: "FIELD=COLUMN"), "Column of a field, if it has another name.",
            isRepeatable: true),
        .init("publish", .flag, "Approve and publish now."),
        .init("approve", .flag, "Approve without publishing."),
        .init("release", .integer(placeholder: "N", in: 1...Int(Int32.max)), "Approve and add to this release."),
        CommandRun.at, CommandRun.zone,
        .init("verbose", .flag, "Report every new or changed row, not only errors."),
        CommandRun.json,
    ]

    static let entries = [
        CommandEntry(
            command: Command(
                "import", "places", summary: "Import places from a table or GeoJSON file.",
                details:
                    "Tables are separated by commas, semicolons or tabs and name their columns in the first line. Rows are "
                    + "matched by id: a newer file of the same source updates its places. Columns without a field become "
                    + "extra attributes.",
                examples: [
                    .init(
                        "import places pubs.geojson --city london --plan", "counts new, changed, unchanged, rejected"),
                    .init("import places food.csv --city london --make-categories place --publish", ""),
                ],
                options: [
                    .init("city", .text(placeholder: "CITY"), "City of every row, by slug or name."),
                    .init(
                        "category", .text(placeholder: "CATEGORY"), "Category of rows without a known category.",
                        isRepeatable: true),
                    .init("make-categories", .text(placeholder: "GROUP"), "Create unknown categories in this group."),
                    .init("image", .text(placeholder: "URL"), "Image of rows without one."),
                ] + options,
                positionals: [.init("file", "Table or GeoJSON file or https URL; - for standard input.")]),
            run: { try await run($0, type: "place") }),
        CommandEntry(
            command: Command(
                "import", "cities", summary: "Import cities from a table, such as those of GeoNames.",
                examples: [.init("import cities cities15000.tsv --publish", "")], options: options,
                positionals: [.init("file", "Table or JSON file or https URL; - for standard input.")]),
            run: { try await run($0, type: "city") }),
    ]

    private static func run(_ run: CommandRun, type: String) async throws -> ExitCode {
        let path = run.arguments.argument("file") ?? "-"
        let options = try options(run, path, type: type)
        let isPlan = run.arguments.flag("plan")
        let (isVerbose, isJSON) = (run.arguments.flag("verbose"), run.isJSON)
        let actor = run.operatorActor
        let result = try await run.withDatabase { database, services in
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
                : try await work.apply(records, type: type, options, by: actor, notify: report)
        }
        if isJSON { try Output.json(result) } else { printReport(result, isPlan: isPlan) }
        if result.errors == 0, result.blocked == 0 { return .ok }
        return result.new + result.changed + result.unchanged > 0 ? .partial : .conflict
    }

    private static func options(_ run: CommandRun, _ path: String, type: String) throws -> ImportOptions {
        let arguments = run.arguments
        let name = path.split(separator: "/").last.map(String.init) ?? path
        var options = ImportOptions(source: arguments.text("source") ?? name)
        for pair in arguments.texts("map") {
            let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else {
                throw Failure.invalid(FieldErrors("--map", "format", "Enter --map FIELD=COLUMN, not \"\(pair)\"."))
            }
            options.columns[parts[0]] = parts[1]
        }
        if let number = arguments.integer("release") {
            options.publishTiming = .approveOnly
            options.release = Int64(number)
        } else if arguments.text("at") != nil {
            options.publishTiming = try run.publishTiming()
        } else if arguments.flag("publish") {
            options.publishTiming = .now
        } else if arguments.flag("approve") {
            options.publishTiming = .approveOnly
        }
        guard type == "place" else { return options }
        options.city = arguments.text("city")
        options.categories = arguments.texts("category")
        options.createCategoriesIn = arguments.text("make-categories")
        options.image = arguments.text("image")
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
