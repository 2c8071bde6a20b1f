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
            options: [CommandRun.json], positionals: [Arguments.kind, Arguments.search, Arguments.parameter],
            run: search),
        CommandEntry(
            "catalog", "show", summary: "Show catalog items.", options: [CommandRun.json], positionals: [ids],
            run: show),
        CommandEntry(
            "catalog", "refresh", summary: "Refresh published catalog items from their sources.",
            details: "Without ids, refreshes items older than catalogs.refresh_hours.", options: [CommandRun.json],
            positionals: [Arguments.id.with(summary: "Item ids.", count: .any)], run: refresh),
        CommandEntry(
            "catalog", "relist", summary: "List items, so that readers can browse them.", options: [CommandRun.json],
            positionals: [ids], run: { try await setListed($0, true) }),
        CommandEntry(
            "catalog", "unlist", summary: "Unlist items. Published lists keep them.", options: [CommandRun.json],
            positionals: [ids], run: { try await setListed($0, false) }),
        CommandEntry(
            "catalog", "move", summary: "Move an item to another source or external id.",
            details: "The item keeps its own id.", options: [Arguments.source, Arguments.externalId, CommandRun.json],
            positionals: [Arguments.id], run: move),
    ]

    private static let columns: [Column<CatalogItemRow>] = [
        .both("id") { $0.id }, .both("kind") { $0.kind },
        .text { $0.isPublic ? ($0.isListed ? "listed" : "in a list") : "unlisted" }, .both("title") { $0.title },
        .text { "(\($0.source) \($0.externalID))" }, .json("source") { $0.source },
        .json("external_id") { $0.externalID }, .json("fetched_at") { $0.fetchedAt },
        .json("checked_at") { $0.checkedAt }, .json("listed") { $0.isListed }, .json("published") { $0.isPublic },
        .json("details") { $0.details },
    ]

    private static func withCatalog<Value: Sendable>(
        _ run: CommandRun, _ body: @Sendable (Database, CatalogRules, FetchClient, Logger) async throws -> Value
    ) async throws -> Value {
        let settings = try run.settings()
        let rules = try CatalogRules(settings)
        let client = FetchClient(policy: rules.policy, threads: 1)
        let log = Logger(level: .error, format: settings.log.format)
        return try await run.withDatabase { database, _ in try await body(database, rules, client, log) }
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
        let result = try await withCatalog(run) { database, rules, client, log in
            try await SearchCatalog(database: database, rules: rules, client: client, log: log)(
                query, by: run.operatorActor)
        }
        if let problem = result.problem {
            let since = result.fetchedAt.map { "Showing results from \(InstantText.text($0, milliseconds: false))." }
            Output.note("\(problem) \(since ?? "Showing stored results.")")
        }
        for hint in result.hints {
            try run.report(["hint": hint], hint)
        }
        return try run.list(result.items, columns)
    }

    private static func selected(_ run: CommandRun) throws -> [ID<CatalogItem>] {
        try run.arguments.arguments(Arguments.id).map { try run.id($0) }
    }

    private static func show(_ run: CommandRun) async throws -> ExitCode {
        let ids = try selected(run)
        let items = try await run.withDatabase { database, _ in try await database.catalogs.findAll(ids) }
        for item in items {
            try run.show(item, columns)
            if !run.isJSON { Output.line(item.details.canonicalText) }
        }
        return .ok
    }

    private static func refresh(_ run: CommandRun) async throws -> ExitCode {
        let ids = try selected(run)
        let outcomes = try await withCatalog(run) { database, rules, client, log in
            let refresh = RefreshCatalog(database: database, rules: rules, client: client, log: log)
            return ids.isEmpty ? try await refresh.due() : try await refresh.items(ids, by: run.operatorActor)
        }
        for outcome in outcomes {
            try run.show(outcome.item, columns + [.json("problem") { _ in outcome.problem }])
            if let problem = outcome.problem { Output.note("\(outcome.item.title): \(problem)") }
        }
        return outcomes.contains { $0.problem != nil } ? .failure : .ok
    }

    private static func report(_ run: CommandRun, publication: Int64?) throws -> ExitCode {
        try run.report(
            ["publication": publication],
            publication.map { "Published in publication \($0)." } ?? "No published content changed.")
    }

    private static func setListed(_ run: CommandRun, _ isListed: Bool) async throws -> ExitCode {
        let ids = try selected(run)
        let publication = try await withCatalog(run) { database, rules, _, _ in
            try await ManageCatalog(database: database, rules: rules).setListed(ids, isListed, by: run.operatorActor)
        }
        return try report(run, publication: publication)
    }

    private static func move(_ run: CommandRun) async throws -> ExitCode {
        let id: ID<CatalogItem> = try run.id(run.arguments.argument(Arguments.id) ?? "")
        let (source, externalID) = (
            run.arguments.text(Arguments.source) ?? "", run.arguments.text(Arguments.externalId) ?? ""
        )
        let publication = try await withCatalog(run) { database, rules, _, _ in
            try await ManageCatalog(database: database, rules: rules).move(
                id, source: source, externalID: externalID, by: run.operatorActor)
        }
        return try report(run, publication: publication)
    }
}
