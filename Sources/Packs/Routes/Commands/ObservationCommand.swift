// Lists observations and their history, and deletes mistaken ones.
import CommandKit
import Domain
import FoundationEssentials
import Operations
import Platform
import Store

enum ObservationCommand {
    private enum Arguments {
        static let source = Command.Option("source", .text(placeholder: "TEXT"), "Only of this source.")
        static let site = Command.Option("site", .text(placeholder: "NAME"), "Only of this site.")
        static let from = Command.Option(
            "from", .text(placeholder: "TIME"), "Only what is valid after this time: 2026-11-20T07:00:00Z.")
        static let until = Command.Option("until", .text(placeholder: "TIME"), "Only what is valid before this time.")
        static let kind = Command.Option("kind", .choice(kinds), "Only this kind.")
        static let city = Command.Option(
            "city", .text(placeholder: "NAME"), "Only of this city; ignores case and accents.")
        static let history = Command.Option("history", .flag, "Replaced and deleted observations.")
        static let limit = Command.Option(
            "limit", .integer(placeholder: "N", in: 1...10_000), "Maximum number; 100 by default.")
    }

    private static let filters: [Command.Option] = [
        Arguments.source, Arguments.site, Arguments.from, Arguments.until,
    ]

    private static let kinds = ObservationKind.allCases.map(\.rawValue)

    static let entries = [
        CommandEntry(
            "observation", "list", summary: "List observations, newest period first.",
            examples: [
                .init("observation list --kind obstruction --city London", ""),
                .init("observation list --source morning.csv --history", "what was replaced or deleted"),
            ],
            options: [Arguments.kind, Arguments.city] + filters
                + [Arguments.history, Arguments.limit, CommandRun.json],
            run: list),
        CommandEntry(
            "observation", "delete", summary: "Delete mistaken observations and publish the changed badges.",
            details: """
                Deletes what all options match. With --from or --until, only that part of their time is deleted. Deleted \
                observations stay in the history.
                """,
            examples: [
                .init(
                    "observation delete --kind obstruction --city London --source morning.csv --dry-run",
                    "the rows that would change"),
                .init(
                    "observation delete --kind air --city London --site BG1 --from 2026-11-20T00:00:00Z", ""),
            ],
            options: [
                Arguments.kind.with(summary: "Kind.", isRequired: true),
                Arguments.city.with(summary: "City; ignores case and accents.", isRequired: true),
            ] + filters + [CommandRun.dryRun, CommandRun.json],
            run: delete),
    ]

    private static let columns: [Column<ObservationRow>] = [
        .text { InstantText.text($0.from, milliseconds: false) },
        .text { InstantText.text($0.until, milliseconds: false) }, .both("kind") { $0.kind.rawValue },
        .both("city") { $0.city }, .both("site") { $0.site },
        .text { "\($0.measure) \(JSONValue.number($0.value).canonicalText)" }, .both("source") { $0.source },
        .both("reason") { $0.reason }, .json("from") { $0.from }, .json("until") { $0.until },
        .json("measure") { $0.measure }, .json("latitude") { $0.latitude }, .json("longitude") { $0.longitude },
        .json("value") { $0.value }, .json("recorded_at") { $0.recordedAt }, .json("ended_at") { $0.endedAt },
    ]

    private static func filter(_ run: CommandRun) throws -> ObservationFilter {
        func time(_ option: Command.Option) throws -> Timestamp? {
            guard let text = run.arguments.text(option) else { return nil }
            guard let time = Timestamp(text) else {
                throw Failure.invalid(
                    FieldErrors(
                        "--" + option.name, "format", "Enter a time with an offset, such as 2026-11-20T07:00:00Z."))
            }
            return time
        }
        var filter = ObservationFilter()
        filter.kind = run.arguments.text(Arguments.kind).flatMap { ObservationKind(rawValue: $0) }
        filter.city = run.arguments.text(Arguments.city)
        filter.source = run.arguments.text(Arguments.source)
        filter.site = run.arguments.text(Arguments.site)
        filter.from = try time(Arguments.from)
        filter.until = try time(Arguments.until)
        return filter
    }

    private static func list(_ run: CommandRun) async throws -> ExitCode {
        let filter = try filter(run)
        let rows = try await run.withDatabase { database, _ in
            try await database.observations.list(
                filter, ofHistory: run.arguments.flag(Arguments.history),
                limit: run.arguments.integer(Arguments.limit) ?? 100)
        }
        return try run.list(rows, columns)
    }

    private static func delete(_ run: CommandRun) async throws -> ExitCode {
        let filter = try filter(run)
        guard let kind = filter.kind, let city = filter.city else { throw Failure.missing("observation") }
        if run.arguments.flag(CommandRun.dryRun) {
            let (count, plan) = try await run.withDatabase { _, services in
                try await services.deleteObservations.plan(kind, city: city, filter, limit: nil, by: run.operatorActor)
            }
            try run.report(plan.rows)
            run.note("\(count) observations would be deleted and \(plan.total) rows would change.")
            return .ok
        }
        let (count, publication) = try await run.withDatabase { _, services in
            try await services.deleteObservations(kind, city: city, filter, by: run.operatorActor)
        }
        return try run.report(
            ["deleted": count, "publication": publication],
            "\(count) observations deleted"
                + (publication.map { "; publication \($0)." } ?? "; nothing to publish."))
    }
}
