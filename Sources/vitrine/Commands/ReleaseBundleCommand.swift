// Exports a release for another deployment, and imports it there.
import CommandKit
import Domain
import FoundationEssentials
import Operations
import Platform
import Store

enum ReleaseBundleCommand {
    private enum Arguments {
        static let file = Command.Option("file", .text(placeholder: "FILE"), "Output file; standard output by default.")
        static let number = Command.Positional("number", "Release number.")
        static let title = Command.Option(
            "title", .text(placeholder: "TEXT"), "Title of the release; the file name by default.")
        static let bundle = Command.Positional(
            "file", "File that \"release export\" wrote, or a folder; - for standard input.")
    }

    static let entries = [
        CommandEntry(
            "release", "export", summary: "Export the contents of a release for another deployment.",
            details: "Exports the entries of the release and their images. Import them with \"release import\".",
            examples: [.init("release export 12 --file spring.ndjson", "from test to production")],
            options: [Arguments.file], positionals: [Arguments.number], run: exportRelease),
        CommandEntry(
            "release", "import", summary: "Import an exported release as an open release.",
            details: """
                Compare first: --dry-run shows each field that would change. The import writes new versions of the entries \
                under their original ids and adds them to an open release, to be approved and published like any other. \
                Unchanged entries are left out. A folder has JSON files with entries and the images that these name.
                """,
            examples: [
                .init("release import spring.ndjson --dry-run", "compare"),
                .init("release import spring.ndjson --title Spring", ""),
                .init("release import spring/ --publish", "a folder, published now"),
            ],
            options: [Arguments.title, CommandRun.publish, CommandRun.approve, CommandRun.dryRun, CommandRun.json],
            positionals: [Arguments.bundle], run: importRelease),
    ]

    private static func exportRelease(_ run: CommandRun) async throws -> ExitCode {
        guard let number = Int64(run.arguments.argument(Arguments.number) ?? "") else {
            throw Failure.invalid(FieldErrors("number", "format", "Enter a release number."))
        }
        let output = try FileOutput(run.arguments.text(Arguments.file))
        let count = try await run.withDatabase { database, services in
            try await services.exportRelease(
                number, files: try await BundleFiles.reader(run, database), write: { try output.write($0) })
        }
        try output.finish()
        Output.note("\(count) entries exported.")
        return .ok
    }

    private static func importRelease(_ run: CommandRun) async throws -> ExitCode {
        let path = run.arguments.argument(Arguments.bundle) ?? "-"
        let folder = ContentFolder(path)
        let chunks = try folder == nil ? FileChunks.rereadable(path) : nil
        let title = run.arguments.text(Arguments.title) ?? path.split(separator: "/").last.map(String.init) ?? path
        let isDryRun = run.arguments.flag(CommandRun.dryRun)
        let publishTiming = try run.publishTiming(otherwise: .draft)
        let actor = run.operatorActor
        let report = try await run.withDatabase { database, services in
            if let folder {
                return try await services.importRelease(
                    folder, title: title, isDryRun: isDryRun, publishTiming: publishTiming,
                    images: { try await services.ingestImage($0, name: $1, alt: $2, by: actor).media.id }, by: actor)
            }
            return try await services.importRelease(
                {
                    try chunks?.rewind()
                    return { try chunks?.next() }
                }, title: title, isDryRun: isDryRun, publishTiming: publishTiming,
                inspect: { try await services.library.processor.size(of: $0) },
                files: BundleFiles.writer(try await BundleFiles.files(run, database, mayWrite: true)), by: actor)
        }
        if run.isJSON {
            try Output.json(report)
            return .ok
        }
        for entry in report.entries {
            Output.line("\(entry.state)  \(entry.type)  \(entry.title)")
            for field in entry.fields {
                Output.line("    \(field.label): \(field.old ?? "nothing") -> \(field.new ?? "nothing")")
            }
        }
        if let number = report.release {
            Output.note("Added to release \(number). See \"vitrine release plan \(number)\".")
        } else if let number = report.publication {
            Output.note("Publication \(number).")
        } else {
            Output.note(isDryRun ? "Nothing was changed." : "Nothing differs. No release was created.")
        }
        return .ok
    }
}

extension ContentFolder {
    /// The folder at this path; nil if there is none.
    init?(_ path: String) {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { return nil }
        let files = FolderFiles(path)
        self.init(documents: names.filter { $0.hasSuffix(".json") }) { try files.bytes($0) }
    }
}
