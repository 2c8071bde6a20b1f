// API clients from the command line.
import Accounts
import Domain
import Platform
import Store

enum ClientCommand {
    static let entries = [
        CommandEntry(
            command: Command(
                "client", "add", summary: "Makes an API client and prints its credentials, once.",
                examples: [.init("client add portal --scopes submit,read-guest", "")],
                options: [
                    .init(
                        "scopes", .text(placeholder: "LIST"),
                        "What it may do, with commas: \(Scope.allCases.map(\.rawValue).joined(separator: ",")).",
                        isRequired: true),
                    .init(
                        "per-minute", .integer(placeholder: "N", in: 1...1_000_000),
                        "How many requests a minute it may send; any number unless given."),
                    CommandRun.json,
                ],
                positionals: [.init("name", "What it is called.")]),
            run: add),
        CommandEntry(
            command: Command("client", "list", summary: "Lists the API clients.", options: [CommandRun.json]), run: list
        ),
        CommandEntry(
            command: Command(
                "client", "renew", summary: "Gives an API client a new secret and prints it, once.",
                details: """
                    The secret before lets nobody in any more, or goes on for some hours, so that the application can change
                    over without a gap; "client list" says whether it was still used. Clients that a bundle brought have
                    none before this.
                    """,
                examples: [
                    .init("client renew 0193b2a0-0000-7000-8000-000000000000 --overlap 24", "changes over within a day")
                ],
                options: [
                    .init(
                        "overlap", .integer(placeholder: "HOURS", in: 0...ManageClient.longestOverlap),
                        "Hours for which the old secret goes on; 0 unless given."),
                    CommandRun.json,
                ], positionals: [.init("id", "The client.")]),
            run: renew),
        CommandEntry(
            command: Command(
                "client", "end-overlap", summary: "Ends the time of the secret before a renewal.",
                positionals: [.init("id", "The client.")]),
            run: endOverlap),
        CommandEntry(
            command: Command(
                "client", "limit", summary: "Says how many requests a minute an API client may send.",
                options: [
                    .init(
                        "per-minute", .integer(placeholder: "N", in: 1...1_000_000),
                        "The limit; any number unless given.")
                ],
                positionals: [.init("id", "The client.")]),
            run: limit),
        CommandEntry(
            command: Command(
                "client", "revoke", summary: "Keeps an API client out, for good.",
                positionals: [.init("id", "The client.")]),
            run: revoke),
    ]

    private struct Line: Encodable {
        let id: String
        let name: String
        let scopes: [String]
        let revoked: Bool
        let per_minute: Int?
        let last_used: String?
        let old_secret_until: String?
        let old_secret_last_used: String?
    }

    private static func add(_ run: CommandRun) async throws -> ExitCode {
        let names = (run.arguments.text("scopes") ?? "").split(separator: ",").map(String.init)
        let scopes = try names.map { name in
            guard let scope = Scope(rawValue: name) else {
                let known = Scope.allCases.map(\.rawValue).joined(separator: ", ")
                throw Failure.invalid(FieldErrors("--scopes", "choice", "\"\(name)\" is no scope; there are \(known)."))
            }
            return scope
        }
        let actor = run.operatorActor
        let made = try await run.withDatabase { database, _ in
            try await ManageClient(database: database).add(
                name: run.arguments.argument("name") ?? "", scopes: scopes,
                perMinute: run.arguments.integer("per-minute"),
                by: actor)
        }
        return try notify(made.id, made.secret, run)
    }

    private static func renew(_ run: CommandRun) async throws -> ExitCode {
        let id: ID<APIClient> = try run.id(run.arguments.argument("id") ?? "")
        let actor = run.operatorActor
        let secret = try await run.withDatabase { database, _ in
            try await ManageClient(database: database).renew(
                id, overlapHours: run.arguments.integer("overlap") ?? 0, by: actor)
        }
        return try notify(id, secret, run)
    }

    private static func notify(_ id: ID<APIClient>, _ secret: Token, _ run: CommandRun) throws -> ExitCode {
        let client = DevelopmentClient(id: id.description, secret: secret.text)
        if run.isJSON {
            try Output.json(client)
        } else {
            Output.line("id: \(client.id)\nsecret: \(client.secret)")
            Output.note("The secret is not shown again.")
        }
        return .ok
    }

    private static func list(_ run: CommandRun) async throws -> ExitCode {
        let clients = try await run.withDatabase { database, _ in try await database.clients.list() }
        for line in clients {
            let client = line.client
            let until = client.oldUntil.map { InstantText.text($0, milliseconds: false) }
            if run.isJSON {
                try Output.json(
                    Line(
                        id: client.id.description, name: client.name, scopes: client.scopes.map(\.rawValue),
                        revoked: client.isRevoked, per_minute: client.perMinute,
                        last_used: line.usedAt.map { InstantText.text($0, milliseconds: false) },
                        old_secret_until: until,
                        old_secret_last_used: until == nil
                            ? nil : line.oldUsedAt.map { InstantText.text($0, milliseconds: false) }))
            } else {
                let scopes = client.scopes.map(\.rawValue).joined(separator: ",")
                let used = line.usedAt.map { "last used \(InstantText.text($0, milliseconds: false))" } ?? "never used"
                let limit = client.perMinute.map { "  \($0) a minute" } ?? ""
                let old = until.map { "  old secret until \($0)" } ?? ""
                Output.line(
                    "\(client.id)  \(client.name)  \(scopes)  \(used)\(limit)\(old)\(client.isRevoked ? "  revoked" : "")"
                )
            }
        }
        return .ok
    }

    private static func endOverlap(_ run: CommandRun) async throws -> ExitCode {
        let id: ID<APIClient> = try run.id(run.arguments.argument("id") ?? "")
        let actor = run.operatorActor
        try await run.withDatabase { database, _ in
            try await ManageClient(database: database).endOverlap(id, by: actor)
        }
        Output.line("The secret before lets nobody in any more.")
        return .ok
    }

    private static func limit(_ run: CommandRun) async throws -> ExitCode {
        let id: ID<APIClient> = try run.id(run.arguments.argument("id") ?? "")
        let perMinute = run.arguments.integer("per-minute")
        let actor = run.operatorActor
        try await run.withDatabase { database, _ in
            try await ManageClient(database: database).setLimit(id, perMinute: perMinute, by: actor)
        }
        Output.line(
            perMinute.map { "The client may send \($0) requests a minute." } ?? "The client has no limit of its own.")
        return .ok
    }

    private static func revoke(_ run: CommandRun) async throws -> ExitCode {
        let id: ID<APIClient> = try run.id(run.arguments.argument("id") ?? "")
        let actor = run.operatorActor
        try await run.withDatabase { database, _ in try await ManageClient(database: database).revoke(id, by: actor) }
        Output.line("The client is kept out.")
        return .ok
    }
}
