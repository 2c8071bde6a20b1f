// Shows how long decisions take, by decider and by source.
import CommandKit
import Platform
import Store

enum StatisticsCommand {
    static let entries = [
        CommandEntry(
            command: Command(
                "statistics", "show", summary: "Show how long decisions take, by decider and by source.",
                options: [CommandRun.json]),
            run: show)
    ]

    private struct Pace: Encodable {
        let by: String
        let name: String
        let decisions: Int
        let median_seconds: Double
        let percentile_95_seconds: Double
    }

    private static func show(_ run: CommandRun) async throws -> ExitCode {
        let (deciders, sources) = try await run.withDatabase { database, _ in
            (
                try await database.queueStatistics.statisticsByDecider(),
                try await database.queueStatistics.statisticsBySource()
            )
        }
        for (by, paces) in [("decider", deciders), ("source", sources)] {
            for pace in paces {
                if run.isJSON {
                    try Output.json(
                        Pace(
                            by: by, name: pace.name, decisions: pace.decisions, median_seconds: pace.median,
                            percentile_95_seconds: pace.percentile95))
                } else {
                    Output.line(
                        "\(by)  \(pace.name)  \(pace.decisions) decisions  median \(Age.text(seconds: Int(pace.median)))  "
                            + "95th percentile \(Age.text(seconds: Int(pace.percentile95)))")
                }
            }
        }
        return .ok
    }
}
