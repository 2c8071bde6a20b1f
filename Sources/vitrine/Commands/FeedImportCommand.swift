// Imports a feed document as submissions.
import CommandKit
import Domain
import Markup
import Operations
import Platform

enum FeedImportCommand {
    private enum Arguments {
        static let url = Command.Option(
            "url", .text(placeholder: "URL"), "URL of the document; base of its relative URLs.")
        static let origin = Command.Option(
            "origin", .text(placeholder: "NAME"), "Identity of the feed; its file name by default.")
        static let contentType = Command.Option(
            "content-type", .text(placeholder: "TYPE"), "Content type, as the server sent it.")
        static let file = Command.Positional("file", "Document; - for standard input.")
    }

    static let entries = [
        CommandEntry(
            "import", "feed", summary: "Import a feed document as submissions.",
            details:
                "Reads RSS, Atom, RDF and JSON Feed. Importing a newer version of a file adds only its new entries.",
            examples: [.init("import feed news.xml", ""), .init("import feed - --origin news < news.xml", "")],
            options: [Arguments.url, Arguments.origin, Arguments.contentType, CommandRun.dryRun, CommandRun.json],
            positionals: [Arguments.file], run: feed)
    ]

    private static func feed(_ run: CommandRun) async throws -> ExitCode {
        let path = run.arguments.argument(Arguments.file) ?? "-"
        let bytes = try run.read(path)
        let url = run.arguments.text(Arguments.url)
        if run.arguments.flag(CommandRun.dryRun) { return try dryRun(bytes, run, url) }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let result: FeedImport
        do {
            result = try await run.withDatabase { _, services in
                try await services.importFeed(
                    bytes, origin: run.arguments.text(Arguments.origin) ?? url ?? name,
                    contentType: run.arguments.text(Arguments.contentType), url: url,
                    by: Actor(kind: .system, name: "import", requestID: run.operatorActor.requestID))
            }
        } catch Failure.refused(_, let message) where run.isJSON {
            // The whole document was refused: report it as JSON, too.
            result = FeedImport(refusing: name, reason: message)
        }
        if run.isJSON {
            try Output.json(result)
        } else {
            Output.line("\(result.title): \(result.submissions) new submissions, \(result.known) already imported.")
            if !result.changed.isEmpty {
                Output.note("Changed since they were imported, and not imported again: \(result.changed.count).")
            }
            if result.recovered {
                Output.note("The document was malformed and was repaired. Check the imported submissions.")
            }
            if result.submissions + result.known + result.refused.count == 0 {
                Output.problem("The document has no entries.")
            }
            for refused in result.refused { Output.problem("\(refused.entry): \(refused.reason)") }
        }
        return .ofImport(taken: result.submissions + result.known, refused: result.refused.count)
    }

    private static func dryRun(_ bytes: [UInt8], _ run: CommandRun, _ url: String?) throws -> ExitCode {
        let document = try read(bytes, run, url)
        for entry in document.entries {
            try run.report(
                ["id": entry.id, "title": entry.title, "problem": entry.problem], "\(entry.id)  \(entry.title)")
            if let problem = entry.problem, !run.isJSON { Output.problem("\(entry.id): \(problem)") }
        }
        Output.note("\(document.title): \(document.entries.count) entries. Nothing was imported.")
        let refused = document.entries.count(where: { $0.problem != nil })
        return .ofImport(taken: document.entries.count - refused, refused: refused)
    }

    private static func read(_ bytes: [UInt8], _ run: CommandRun, _ url: String?) throws(Failure) -> FeedDocument {
        do throws(FeedError) {
            return try FeedReader.read(bytes, contentType: run.arguments.text(Arguments.contentType), url: url)
        } catch {
            throw .refused(code: "\(error.code)", message: error.message)
        }
    }
}
