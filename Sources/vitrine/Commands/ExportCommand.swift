// Exports a whole deployment.
import CommandKit
import Operations
import Platform

enum ExportCommand {
    private enum Arguments {
        static let file = Command.Option("file", .text(placeholder: "FILE"), "Output file; standard output by default.")
        static let files = Command.Option("files", .flag, "Include image files, as base64.")
    }

    static let entries = [
        CommandEntry(
            "export", summary: "Export the whole deployment as lines of JSON.",
            details: """
                One record per line, from one snapshot, after a header with the version of the format. Derived data (read \
                tables, counts) is left out and computed again by "import bundle". Never exported: passwords and secrets \
                of accounts, clients and webhooks, sessions, preview links, tasks, webhook deliveries, and the audit trail.
                """,
            examples: [
                .init("export --file all.ndjson", ""),
                .init("export --files | gzip > all.ndjson.gz", "with image files"),
            ],
            options: [Arguments.file, Arguments.files], run: export)
    ]

    private static func export(_ run: CommandRun) async throws -> ExitCode {
        let output = try FileOutput(run.arguments.text(Arguments.file))
        let withFiles = run.arguments.flag(Arguments.files)
        let report = try await run.withDatabase { database, services in
            try await services.exportBundle(
                files: withFiles ? try await BundleFiles.reader(run, database) : nil, notify: { Output.note($0) },
                write: { try output.write($0) })
        }
        try output.finish()
        Output.note("\(report.records) records exported.")
        for path in report.missing { Output.problem("File \(path) is missing. See \"vitrine media verify\".") }
        return report.missing.isEmpty ? .ok : .partial
    }
}
