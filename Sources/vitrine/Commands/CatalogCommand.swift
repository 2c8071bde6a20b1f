// The catalogs from the command line: look things up, show, refresh, offer to readers, replace a source.
import Catalogs
import Domain
import Fetch
import FoundationEssentials
import Platform
import Store

enum CatalogCommand {
    private static let ids = Command.Positional("id", "Our id of the thing, as search prints it.", .many)

    static let entries = [
        CommandEntry(
            command: Command(
                "catalog", "search", summary: "Looks things up in a catalog.",
                details: """
                    Asks the source of the catalog, or gives the last answer again while it is fresh or the source does not
                    answer. Which searches a catalog has, and what each takes, is said when a name is wrong.
                    """,
                examples: [
                    .init("catalog search movie latest", ""),
                    .init("catalog search book title text=\"slow travel\"", ""),
                    .init("catalog search restaurant near lat=51.5 lon=-0.1", ""),
                ],
                options: [CommandRun.json],
                positionals: [
                    .init("kind", "The catalog: movie, book, …"), .init("search", "How: latest, title, near, …"),
                    .init("value", "What, as NAME=TEXT.", .any),
                ]),
            run: search),
        CommandEntry(
            command: Command(
                "catalog", "show", summary: "Shows what is kept of things of the catalogs.",
                options: [CommandRun.json], positionals: [ids]),
            run: show),
        CommandEntry(
            command: Command(
                "catalog", "refresh", summary: "Asks the sources again about things that readers see.",
                details: "Without ids, those that nobody looked at for as long as the configuration says.",
                options: [CommandRun.json],
                positionals: [.init("id", "Our ids of the things.", .any)]),
            run: refresh),
        CommandEntry(
            command: Command(
                "catalog", "offer", summary: "Lets readers browse things, whether lists name them or not.",
                options: [CommandRun.json], positionals: [ids]),
            run: { try await offer($0, true) }),
        CommandEntry(
            command: Command(
                "catalog", "take-back", summary: "Offers things to readers no longer; what live lists name stays.",
                options: [CommandRun.json], positionals: [ids]),
            run: { try await offer($0, false) }),
        CommandEntry(
            command: Command(
                "catalog", "move", summary: "Gives a thing another source, or another id there; our id stays.",
                options: [
                    .init("source", .text(placeholder: "NAME"), "Such as tmdb.", isRequired: true),
                    .init("external-id", .text(placeholder: "ID"), "Its id at that source.", isRequired: true),
                    CommandRun.json,
                ], positionals: [.init("id", "Our id of the thing.")]),
            run: move),
        CommandEntry(
            command: Command(
                "catalog", "sources", summary: "Tells how the sources fare.", options: [CommandRun.json]),
            run: sources),
    ]

    private struct Line: Encodable {
        let id: String
        let kind: String
        let source: String
        let itemId: String
        let title: String
        let fetchedAt: Date
        let checkedAt: Date
        let isListed: Bool
        let isPublic: Bool
        let details: JSONValue
        var problem: String?

        init(_ item: CatalogItemRow, problem: String? = nil) {
            id = item.id.description
            kind = item.kind
            source = item.source
            itemId = item.externalID
            title = item.title
            fetchedAt = item.fetchedAt
            checkedAt = item.checkedAt
            isListed = item.isListed
            isPublic = item.isPublic
            details = item.details
            self.problem = problem
        }

        var sentence: String {
            let standing = isPublic ? (isListed ? "offered" : "in a list") : "kept"
            return "\(id)  \(kind)  \(standing)  \(title)  (\(source) \(itemId))"
        }
    }

    private static func works<Value: Sendable>(
        _ run: CommandRun, _ body: @Sendable (Database, CatalogRules, FetchClient, Logger) async throws -> Value
    ) async throws -> Value {
        let settings = try run.settings()
        let rules = try CatalogRules(settings)
        let client = FetchClient(policy: rules.policy, threads: 1)
        let log = Logger(level: .error, format: settings.log.format)
        return try await run.withDatabase { database, _ in try await body(database, rules, client, log) }
    }

    private static func notify(_ run: CommandRun, _ lines: [Line]) throws {
        for line in lines {
            if run.isJSON { try Output.json(line) } else { Output.line(line.sentence) }
        }
    }

    private static func search(_ run: CommandRun) async throws -> ExitCode {
        var values: [String: String] = [:]
        for word in run.arguments.arguments("value") {
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else {
                throw Failure.invalid(FieldErrors("value", "format", "Write NAME=TEXT, such as text=\"slow travel\"."))
            }
            values[parts[0]] = parts[1]
        }
        let question = CatalogQuery(
            kind: run.arguments.argument("kind") ?? "", search: run.arguments.argument("search") ?? "", values: values)
        let actor = run.operatorActor
        let finding = try await works(run) { database, rules, client, log in
            try await SearchCatalog(database: database, rules: rules, client: client, log: log)(question, by: actor)
        }
        if let problem = finding.problem {
            let since = finding.fetchedAt.map { "Shown from \(InstantText.text($0, milliseconds: false))." }
            Output.note("\(problem) \(since ?? "Shown is what was looked up before.")")
        }
        for hint in finding.hints where !run.isJSON { Output.line(hint) }
        try notify(run, finding.items.map { Line($0) })
        return .ok
    }

    private static func named(_ run: CommandRun) throws -> [ID<CatalogItem>] {
        try run.arguments.arguments("id").map { try run.id($0) }
    }

    private static func show(_ run: CommandRun) async throws -> ExitCode {
        let ids = try named(run)
        let items = try await run.withDatabase { database, _ in try await database.catalogs.find(ids) }
        if items.count < Set(ids).count { throw Failure.missing("catalog item") }
        for item in items {
            try notify(run, [Line(item)])
            if !run.isJSON { Output.line(item.details.canonicalText) }
        }
        return .ok
    }

    private static func refresh(_ run: CommandRun) async throws -> ExitCode {
        let ids = try named(run)
        let actor = run.operatorActor
        let outcomes = try await works(run) { database, rules, client, log in
            let refresh = RefreshCatalog(database: database, rules: rules, client: client, log: log)
            return ids.isEmpty ? try await refresh.due() : try await refresh.these(ids, by: actor)
        }
        for outcome in outcomes {
            try notify(run, [Line(outcome.item, problem: outcome.problem)])
            if let problem = outcome.problem { Output.note("\(outcome.item.title): \(problem)") }
        }
        return outcomes.contains { $0.problem != nil } ? .failure : .ok
    }

    private struct Published: Encodable {
        let publication: Int64?
    }

    private static func notify(_ run: CommandRun, publication: Int64?) throws {
        if run.isJSON { return try Output.json(Published(publication: publication)) }
        Output.line(publication.map { "Live in publication \($0)." } ?? "Nothing that readers see has changed.")
    }

    private static func offer(_ run: CommandRun, _ isListed: Bool) async throws -> ExitCode {
        let ids = try named(run)
        let actor = run.operatorActor
        let publication = try await works(run) { database, rules, _, _ in
            try await ManageCatalog(database: database, rules: rules).offer(ids, isListed, by: actor)
        }
        try notify(run, publication: publication)
        return .ok
    }

    private static func move(_ run: CommandRun) async throws -> ExitCode {
        let id: ID<CatalogItem> = try run.id(run.arguments.argument("id") ?? "")
        let (source, place) = (run.arguments.text("source") ?? "", run.arguments.text("external-id") ?? "")
        let actor = run.operatorActor
        let publication = try await works(run) { database, rules, _, _ in
            try await ManageCatalog(database: database, rules: rules).move(
                id, source: source, externalID: place, by: actor)
        }
        try notify(run, publication: publication)
        return .ok
    }

    private struct SourceLine: Encodable {
        let name: String
        let callsThisMinute: Int
        let answeredAt: Date?
        let failingSince: Date?
        let lastError: String?
        let holdUntil: Date?
    }

    private static func sources(_ run: CommandRun) async throws -> ExitCode {
        let sources = try await run.withDatabase { database, _ in try await database.catalogSources.all() }
        for source in sources {
            if run.isJSON {
                try Output.json(
                    SourceLine(
                        name: source.name, callsThisMinute: source.callsThisMinute, answeredAt: source.answeredAt,
                        failingSince: source.failingSince, lastError: source.lastError, holdUntil: source.holdUntil))
            } else {
                let answered = source.answeredAt.map { InstantText.text($0, milliseconds: false) } ?? "never"
                let trouble = source.lastError.map { "  \($0)" } ?? ""
                Output.line("\(source.name)  answered \(answered)\(trouble)")
            }
        }
        return .ok
    }
}
