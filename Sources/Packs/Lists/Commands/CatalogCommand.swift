// Searches, shows, refreshes, lists and moves catalog items.
import CommandKit
import Domain
import Fetch
import FoundationEssentials
import Platform
import Store

enum CatalogCommand {
    private enum Arguments {
        static let id = Command.Positional("id", "Item id.")
        static let kind = Command.Positional("kind", "Catalog, such as movie or book.")
        static let search = Command.Positional("search", "Search, such as latest or title.")
        static let parameter = Command.Positional("parameter", "NAME=VALUE.", .any)
        static let source = Command.Option(
            "source", .text(placeholder: "NAME"), "Source, such as tmdb.", isRequired: true)
        static let externalId = Command.Option(
            "external-id", .text(placeholder: "ID"), "The item's id at the source.", isRequired: true)
    }

    private static let ids = Arguments.id.with(summary: "Item ids, as \"catalog search\" prints them.", count: .many)

    static let entries = [
        CommandEntry(
            command: Command(
                "catalog", "search", summary: "Search a catalog.",
                details: """
                    Queries the source of the catalog, or reuses the last response while it is fresh or the source is
                    unavailable. An unknown search lists the searches of the catalog and their parameters.
                    """,
                examples: [
                    .init("catalog search movie latest", ""),
                    .init("catalog search book title text=\"slow travel\"", ""),
                    .init("catalog search restaurant near lat=51.5 lon=-0.1", ""),
                ],
                options: [CommandRun.json],
                positionals: [
                    Arguments.kind, Arguments.search, Arguments.parameter,
                ]),
            run: search),
        CommandEntry(
            command: Command(
                "catalog", "show", summary: "Show catalog items.",
                options: [CommandRun.json], positionals: [ids]),
            run: show),
        CommandEntry(
            command: Command(
                "catalog", "refresh", summary: "Refresh published catalog items from their sources.",
                details: "Without ids, refreshes items older than catalogs.refresh_hours.",
                options: [CommandRun.json],
                positionals: [Arguments.id.with(summary: "Item ids.", count: .any)]),
            run: refresh),
        CommandEntry(
            command: Command(
                "catalog", "relist", summary: "List items, so that readers can browse them.",
                options: [CommandRun.json], positionals: [ids]),
            run: { try await setListed($0, true) }),
        CommandEntry(
            command: Command(
                "catalog", "unlist", summary: "Unlist items. Published lists keep them.",
                options: [CommandRun.json], positionals: [ids]),
            run: { try await setListed($0, false) }),
        CommandEntry(
            command: Command(
                "catalog", "move", summary: "Move an item to another source or external id.",
                details: "The item keeps its own id.",
                options: [
                    Arguments.source, Arguments.externalId, CommandRun.json,
                ], positionals: [Arguments.id]),
            run: move),
    ]

    private struct Line: Encodable {
        let id: String
        let kind: String
        let source: String
        let external_id: String
        let title: String
        let fetched_at: Date
        let checked_at: Date
        let listed: Bool
        let published: Bool
        let details: JSONValue
        var problem: String?

        init(_ item: CatalogItemRow, problem: String? = nil) {
            id = item.id.description
            kind = item.kind
            source = item.source
            external_id = item.externalID
            title = item.title
            fetched_at = item.fetchedAt
            checked_at = item.checkedAt
            listed = item.isListed
            published = item.isPublic
            details = item.details
            self.problem = problem
        }

        var sentence: String {
            let status = published ? (listed ? "listed" : "in a list") : "unlisted"
            return "\(id)  \(kind)  \(status)  \(title)  (\(source) \(external_id))"
        }
    }

    private static func withCatalog<Value: Sendable>(
        _ run: CommandRun, _ body: @Sendable (Database, CatalogRules, FetchClient, Logger) async throws -> Value
    ) async throws -> Value {
        let settings = try run.settings()
        let rules = try CatalogRules(settings)
        let client = FetchClient(policy: rules.policy, threads: 1)
        let log = Logger(level: .error, format: settings.log.format)
        return try await run.withDatabase { database, _ in try await body(database, rules, client, log) }
    }

    private static func report(_ run: CommandRun, _ lines: [Line]) throws {
        for line in lines {
            if run.isJSON { try Output.json(line) } else { Output.line(line.sentence) }
        }
    }

    private static func search(_ run: CommandRun) async throws -> ExitCode {
        var values: [String: String] = [:]
        for text in run.arguments.arguments(Arguments.parameter) {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else {
                throw Failure.invalid(
                    FieldErrors("parameter", "format", "Enter NAME=VALUE, such as text=\"slow travel\"."))
            }
            values[parts[0]] = parts[1]
        }
        let query = CatalogQuery(
            kind: run.arguments.argument(Arguments.kind) ?? "", search: run.arguments.argument(Arguments.search) ?? "",
            values: values)
        let actor = run.operatorActor
        let result = try await withCatalog(run) { database, rules, client, log in
            try await SearchCatalog(database: database, rules: rules, client: client, log: log)(query, by: actor)
        }
        if let problem = result.problem {
            let since = result.fetchedAt.map { "Showing results from \(InstantText.text($0, milliseconds: false))." }
            Output.note("\(problem) \(since ?? "Showing stored results.")")
        }
        for hint in result.hints {
            if run.isJSON { try Output.json(["hint": hint]) } else { Output.line(hint) }
        }
        try report(run, result.items.map { Line($0) })
        return .ok
    }

    private static func selected(_ run: CommandRun) throws -> [ID<CatalogItem>] {
        try run.arguments.arguments(Arguments.id).map { try run.id($0) }
    }

    private static func show(_ run: CommandRun) async throws -> ExitCode {
        let ids = try selected(run)
        let items = try await run.withDatabase { database, _ in try await database.catalogs.findAll(ids) }
        for item in items {
            try report(run, [Line(item)])
            if !run.isJSON { Output.line(item.details.canonicalText) }
        }
        return .ok
    }

    private static func refresh(_ run: CommandRun) async throws -> ExitCode {
        let ids = try selected(run)
        let actor = run.operatorActor
        let outcomes = try await withCatalog(run) { database, rules, client, log in
            let refresh = RefreshCatalog(database: database, rules: rules, client: client, log: log)
            return ids.isEmpty ? try await refresh.due() : try await refresh.items(ids, by: actor)
        }
        for outcome in outcomes {
            try report(run, [Line(outcome.item, problem: outcome.problem)])
            if let problem = outcome.problem { Output.note("\(outcome.item.title): \(problem)") }
        }
        return outcomes.contains { $0.problem != nil } ? .failure : .ok
    }

    private struct Published: Encodable {
        let publication: Int64?
    }

    private static func report(_ run: CommandRun, publication: Int64?) throws {
        if run.isJSON { return try Output.json(Published(publication: publication)) }
        Output.line(publication.map { "Published in publication \($0)." } ?? "No published content changed.")
    }

    private static func setListed(_ run: CommandRun, _ isListed: Bool) async throws -> ExitCode {
        let ids = try selected(run)
        let actor = run.operatorActor
        let publication = try await withCatalog(run) { database, rules, _, _ in
            try await ManageCatalog(database: database, rules: rules).setListed(ids, isListed, by: actor)
        }
        try report(run, publication: publication)
        return .ok
    }

    private static func move(_ run: CommandRun) async throws -> ExitCode {
        let id: ID<CatalogItem> = try run.id(run.arguments.argument(Arguments.id) ?? "")
        let (source, externalID) = (
            run.arguments.text(Arguments.source) ?? "", run.arguments.text(Arguments.externalId) ?? ""
        )
        let actor = run.operatorActor
        let publication = try await withCatalog(run) { database, rules, _, _ in
            try await ManageCatalog(database: database, rules: rules).move(
                id, source: source, externalID: externalID, by: actor)
        }
        try report(run, publication: publication)
        return .ok
    }
}
