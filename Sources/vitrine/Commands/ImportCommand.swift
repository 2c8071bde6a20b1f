// Brings content in from files.
import Domain
import Intake
import Markup
import Platform

enum ImportCommand {
    static let entries = [
        CommandEntry(
            command: Command(
                "import", "feed", summary: "Limiter the entries of a feed document into submissions.",
                details:
                    "Reads RSS, Atom, RDF and JSON Feed. Importing a newer version of the same file gives only what is new.",
                examples: [.init("import feed news.xml", ""), .init("import feed - --origin news < news.xml", "")],
                options: [
                    .init(
                        "url", .text(placeholder: "URL"), "Where the document comes from; relative addresses follow it."
                    ),
                    .init(
                        "origin", .text(placeholder: "NAME"),
                        "What tells this feed from others; its file name unless said."),
                    .init("content-type", .text(placeholder: "TYPE"), "As the server said it."),
                    CommandRun.dryRun, CommandRun.json,
                ],
                positionals: [.init("file", "The document; - is standard input.")]),
            run: feed)
    ]

    private static func feed(_ run: CommandRun) async throws -> ExitCode {
        let path = run.arguments.argument("file") ?? "-"
        let bytes = try run.read(path)
        let url = run.arguments.text("url")
        if run.arguments.flag("dry-run") { return try dryRun(bytes, run, url) }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let result: FeedImport
        do {
            result = try await run.withDatabase { database, rules in
                try await ImportFeed(database: database, rules: rules)(
                    bytes, origin: run.arguments.text("origin") ?? url ?? name,
                    contentType: run.arguments.text("content-type"), url: url,
                    by: Actor(kind: .system, name: "import", requestID: run.operatorActor.requestID))
            }
        } catch Failure.refused(_, let message) where run.isJSON {
            // The whole document was refused: said in the form that was asked for.
            result = FeedImport(refusing: name, because: message)
        }
        if run.isJSON {
            try Output.json(result)
        } else {
            Output.line("\(result.title): \(result.submissions) new submissions, \(result.known) known before.")
            if result.recovered {
                Output.note("The document was not well-formed and was repaired; look at what came in.")
            }
            for refused in result.refused { Output.problem("\(refused.entry): \(refused.reason)") }
        }
        if result.refused.isEmpty { return .ok }
        return result.submissions > 0 ? .partial : .conflict
    }

    private static func dryRun(_ bytes: [UInt8], _ run: CommandRun, _ url: String?) throws -> ExitCode {
        do throws(FeedError) {
            let document = try FeedReader.read(bytes, contentType: run.arguments.text("content-type"), url: url)
            for entry in document.entries { Output.line("\(entry.id)  \(entry.title)") }
            Output.note("\(document.title): \(document.entries.count) entries; nothing was stored.")
            return .ok
        } catch {
            throw Failure.refused(code: "\(error.code)", message: error.message)
        }
    }
}
