// Imports routes from GPX files.
import CommandKit
import Domain
import FoundationEssentials
import Markup
import Operations
import Platform

enum RouteImportCommand {
    private enum Arguments {
        static let city = Command.Option("city", .text(placeholder: "NAME"), "City of new routes, as in the air data.")
        static let plan = Command.Option("plan", .flag, "Show the changes without making them.")
        static let file = Command.Positional("file", "GPX files or folders of them; - for standard input.", .many)
    }

    static let entries = [
        CommandEntry(
            "import", "routes", summary: "Import routes from GPX files.",
            details: """
                A folder imports all its *.gpx files. Routes become drafts unless --publish or --approve is given. Importing \
                a file again updates its route if the path has changed.
                """,
            examples: [
                .init("import routes river-loop.gpx --plan", ""),
                .init("import routes tracks/ --city London --publish", ""),
            ],
            options: [Arguments.city, Arguments.plan, CommandRun.publish, CommandRun.approve, CommandRun.json],
            positionals: [Arguments.file], run: run)
    ]

    private static func run(_ run: CommandRun) async throws -> ExitCode {
        let publishTiming = try run.publishTiming(otherwise: .draft)
        let plan = run.arguments.flag(Arguments.plan)
        let files = try files(run.arguments.arguments(Arguments.file))
        let actor = Actor(kind: .system, name: "import", requestID: run.operatorActor.requestID)
        let (count, refused) = try await run.withDatabase { _, services in
            var (count, refused) = (0, 0)
            let importing = services.importRoutes(
                city: run.arguments.text(Arguments.city), publishTiming: publishTiming)
            let read = files.map { file -> ImportRoutes.File in
                (
                    name: file.path.split(separator: "/").last.map(String.init) ?? file.path,
                    read: { try file.folder?.bytes(file.path) ?? run.read(file.path) }
                )
            }
            try await importing(read, plan: plan, by: actor) { outcome in
                count += 1
                if outcome.state == .refused { refused += 1 }
                try report(outcome, run)
            }
            return (count, refused)
        }
        if plan { run.note("Nothing was imported.") }
        return .ofImport(taken: count - refused, refused: refused)
    }

    /// Expands each folder to its GPX files, by name.
    private static func files(_ names: [String]) throws -> [(folder: FolderFiles?, path: String)] {
        try names.flatMap { name -> [(folder: FolderFiles?, path: String)] in
            var isFolder = false
            guard FileManager.default.fileExists(atPath: name, isDirectory: &isFolder), isFolder else {
                return [(folder: nil, path: name)]
            }
            let found = try FileManager.default.contentsOfDirectory(atPath: name)
                .filter { $0.lowercased().hasSuffix(".gpx") }.sorted()
            if found.isEmpty { throw Failure.missing("GPX file in the folder \(name)") }
            return found.map { (folder: FolderFiles(name), path: $0) }
        }
    }

    private static func report(_ outcome: RouteImport, _ run: CommandRun) throws {
        if run.isJSON {
            try Output.json(outcome)
        } else if let reason = outcome.reason {
            Output.problem("\(outcome.file): \(reason)")
        } else {
            let length = DistanceText.length(outcome.lengthMeters ?? 0)
            Output.line(
                "\(outcome.state.rawValue)  \(outcome.file)  \(outcome.title)  \(length), "
                    + "net elevation \(DistanceText.net(outcome.netElevationMeters)), \(outcome.samples ?? 0) samples")
        }
    }
}
