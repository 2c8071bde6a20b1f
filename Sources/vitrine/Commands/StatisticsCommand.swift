// Shows how long decisions take, by decider and by source.
import CommandKit
import Platform
import Store

enum StatisticsCommand {
    static let entries = [
        CommandEntry(
            "statistics", "show", summary: "Show how long decisions take, by decider and by source.",
            options: [CommandRun.json], run: show)
    ]

    private static let columns: [Column<(by: String, pace: DecisionStatistics)>] = [
        .both("by") { $0.by }, .both("name") { $0.pace.name }, .json("decisions") { $0.pace.decisions },
        .text { "\($0.pace.decisions) decisions" }, .json("median_seconds") { $0.pace.median },
        .text { "median \(Age.text(seconds: Int($0.pace.median)))" },
        .json("percentile_95_seconds") { $0.pace.percentile95 },
        .text { "95th percentile \(Age.text(seconds: Int($0.pace.percentile95)))" },
    ]

    private static func show(_ run: CommandRun) async throws -> ExitCode {
        let (deciders, sources) = try await run.withDatabase { database, _ in
            (
                try await database.queueStatistics.statisticsByDecider(),
                try await database.queueStatistics.statisticsBySource()
            )
        }
        try run.list(deciders.map { (by: "decider", pace: $0) }, columns)
        return try run.list(sources.map { (by: "source", pace: $0) }, columns)
    }
}
