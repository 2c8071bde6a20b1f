// Makes and changes places and cities from files of other people's lists.
import Domain
import Editorial
import FoundationEssentials
import Glibc
import Platform
import Store

enum ImportEntriesCommand {
    private static let options: [Command.Option] = [
        .init("plan", .flag, "Say what would become of every row, and do nothing."),
        .init(
            "source", .text(placeholder: "NAME"),
            "Whose ids the rows have; the same source changes what it made before. The file's name unless said."),
        .init(
            "map", .text(placeholder: "FIELD=COLUMN"),
            "Which column a field is read from, where its name is not the usual.",
            isRepeatable: true),
        .init("publish", .flag, "Approve and publish."),
        .init("approve", .flag, "Approve, but do not publish yet."),
        .init("release", .integer(placeholder: "N", in: 1...Int(Int32.max)), "Approve, and put it into this release."),
        CommandRun.at, CommandRun.zone,
        .init("verbose", .flag, "Notify of every row that is new or changes too, not only of errors."),
        CommandRun.json,
    ]

    static let entries = [
        CommandEntry(
            command: Command(
                "import", "places", summary: "Makes and changes places from a table or a GeoJSON file.",
                details:
                    "Tables have commas, semicolons or tabs and names in their first line. Rows are known by their ids: a "
                    + "newer file changes what an older one made. Columns without a field become extra attributes.",
                examples: [
                    .init(
                        "import places pubs.geojson --city london --plan", "what would be new, changed, the same, wrong"
                    ),
                    .init("import places food.csv --city london --make-categories place --publish", ""),
                ],
                options: [
                    .init("city", .text(placeholder: "CITY"), "The city of every row, by its slug or name."),
                    .init(
                        "category", .text(placeholder: "CATEGORY"),
                        "A category of rows whose own names mean nothing here.",
                        isRepeatable: true),
                    .init(
                        "make-categories", .text(placeholder: "GROUP"),
                        "Make the categories that rows name and that do not exist, in this group."),
                    .init("image", .text(placeholder: "URL"), "The image of rows without one."),
                ] + options,
                positionals: [
                    .init("file", "The table or GeoJSON document, or its https address; - is standard input.")
                ]),
            run: { try await run($0, type: "place") }),
        CommandEntry(
            command: Command(
                "import", "cities", summary: "Makes and changes cities from a table, such as those of GeoNames.",
                examples: [.init("import cities cities15000.tsv --publish", "")], options: options,
                positionals: [.init("file", "The table or JSON document, or its https address; - is standard input.")]),
            run: { try await run($0, type: "city") }),
    ]

    private static func run(_ run: CommandRun, type: String) async throws -> ExitCode {
        let path = run.arguments.argument("file") ?? "-"
        let options = try options(run, path, type: type)
        let isPlan = run.arguments.flag("plan")
        let (isVerbose, isJSON) = (run.arguments.flag("verbose"), run.isJSON)
        let actor = run.operatorActor
        let report = try await run.withDatabase { database, rules in
            let file = try await FilePieces.open(path)
            let records = RecordReader { try file.next() ?? [] }
            let work = ImportEntries(database: database, rules: rules)
            func notify(_ line: ImportLine) {
                if isJSON {
                    if isVerbose { try? Output.json(line) }
                } else if line.state == .error {
                    Output.problem("\(line.place): \(line.title): \(line.message ?? "")")
                } else if isVerbose, line.state != .same {
                    let fields = line.fields.isEmpty ? "" : " (\(line.fields.joined(separator: ", ")))"
                    Output.line("\(line.state.rawValue)  \(line.title)\(fields)\(line.message.map { " " + $0 } ?? "")")
                }
            }
            return isPlan
                ? try await work.plan(records, type: type, options, notify: notify)
                : try await work.apply(records, type: type, options, by: actor, notify: notify)
        }
        if isJSON { try Output.json(report) } else { notify(report, isPlan: isPlan) }
        if report.errors == 0 { return .ok }
        return report.new + report.changed + report.same > 0 ? .partial : .conflict
    }

    private static func options(_ run: CommandRun, _ path: String, type: String) throws -> ImportOptions {
        let arguments = run.arguments
        let name = path.split(separator: "/").last.map(String.init) ?? path
        var options = ImportOptions(source: arguments.text("source") ?? name)
        for pair in arguments.texts("map") {
            let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else {
                throw Failure.invalid(FieldErrors("--map", "format", "Write --map FIELD=COLUMN, not \"\(pair)\"."))
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
        options.makeCategoriesIn = arguments.text("make-categories")
        options.image = arguments.text("image")
        return options
    }

    private static func notify(_ report: ImportReport, isPlan: Bool) {
        let verb = isPlan ? "would be " : ""
        Output.line(
            "\(report.new) \(verb)new, \(report.changed) \(verb)changed, \(report.same) the same, \(report.errors) with errors"
        )
        if !report.unknownCategories.isEmpty {
            let words = report.unknownCategories.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            let shown = words.prefix(20).map { "\($0.key) (\($0.value))" }.joined(separator: ", ")
            Output.note("\(words.count) words name no category: \(shown)\(words.count > 20 ? ", …" : "")")
        }
        if let release = report.release { Output.line("goes live with release \(release)") }
        if let last = report.publications.last {
            Output.line(
                report.publications.count == 1
                    ? "publication \(last)" : "\(report.publications.count) publications, the last of them \(last)")
        }
    }
}
