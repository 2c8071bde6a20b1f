// Loads demo content, entirely invented, from the folders of demo.dir.
import CommandKit
import Domain
import Platform

enum DemoCommand {
    private static let sets = Command.Positional("set", "Sets of demo content; all by default.", .any)

    static let entries = [
        CommandEntry(
            "demo", summary: "Load demo content.",
            details: """
                Each set is a folder of demo.dir: core (feeds, categories, onboarding and pending submissions), items \
                (articles and videos), categories (two groups with names in two languages), and one for each pack. \
                Loading a set again restores its entries.
                """,
            examples: [.init("demo", "everything"), .init("demo core items", "")], options: [CommandRun.json],
            positionals: [sets], run: run)
    ]

    private static func run(_ run: CommandRun) async throws -> ExitCode {
        let settings = try run.settings()
        let directory = settings.directories.demo
        let names = run.arguments.arguments(sets)
        let folders =
            try names.isEmpty
            ? DemoFolder.all(in: directory, settings.enabledPacks()) : names.map { DemoFolder($0, in: directory) }
        try await run.withDatabase { _, services in
            for folder in folders {
                let report = try await folder.load(services, by: run.operatorActor)
                try run.report(json: report, sentence(report))
            }
        }
        return .ok
    }

    private static func sentence(_ report: DemoFolder.Report) -> String {
        let counts =
            [
                (report.entries, "entries published"), (report.submissions, "submissions received"),
            ] + report.recorded.sorted { $0.key < $1.key }.map { ($0.value, "\($0.key) recorded") }
        let shown = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return "\(report.set): \(shown.isEmpty ? "nothing new" : shown.joined(separator: ", "))"
    }
}
