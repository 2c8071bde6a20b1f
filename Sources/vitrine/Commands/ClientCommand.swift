// Creates, lists, rotates, updates and revokes API clients.
import Accounts
import CommandKit
import Domain
import Platform
import Store

enum ClientCommand {
    private enum Arguments {
        static let scopes = Command.Option(
            "scopes", .text(placeholder: "LIST"),
            "Comma-separated scopes: \(Scope.allCases.map(\.rawValue).joined(separator: ",")).", isRequired: true)
        static let perMinute = Command.Option(
            "per-minute", .integer(placeholder: "N", in: 1...1_000_000), "Requests per minute; no limit by default.")
        static let name = Command.Positional("name", "Name.")
        static let overlap = Command.Option(
            "overlap", .integer(placeholder: "HOURS", in: 0...ManageClient.longestOverlap),
            "Hours that the old secret stays valid; 0 by default.")
        static let id = Command.Positional("id", "Client id.")
    }

    static let entries = [
        CommandEntry(
            command: Command(
                "client", "create", summary: "Create an API client and print its credentials once.",
                examples: [.init("client create portal --scopes submit,read-guest", "")],
                options: [
                    Arguments.scopes, Arguments.perMinute, CommandRun.json,
                ],
                positionals: [Arguments.name]),
            run: create),
        CommandEntry(
            command: Command("client", "list", summary: "List API clients.", options: [CommandRun.json]), run: list),
        CommandEntry(
            command: Command(
                "client", "rotate", summary: "Rotate the secret of an API client and print it once.",
                details: """
                    The old secret stops working at once, or after --overlap hours, so that the application can switch
                    without downtime; "client list" shows when it was last used. Imported clients have no secret until
                    their first rotation.
                    """,
                examples: [
                    .init("client rotate 0193b2a0-0000-7000-8000-000000000000 --overlap 24", "switch within a day")
                ],
                options: [
                    Arguments.overlap, CommandRun.json,
                ], positionals: [Arguments.id]),
            run: rotate),
        CommandEntry(
            command: Command(
                "client", "update", summary: "Set or remove the request limit of an API client.",
                options: [Arguments.perMinute, CommandRun.json], positionals: [Arguments.id]),
            run: update),
        CommandEntry(
            command: Command(
                "client", "revoke", summary: "Revoke an API client permanently.", options: [CommandRun.json],
                positionals: [Arguments.id]),
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

    private static func create(_ run: CommandRun) async throws -> ExitCode {
        let names = (run.arguments.text(Arguments.scopes) ?? "").split(separator: ",").map(String.init)
        let scopes = try names.map { name in
            guard let scope = Scope(rawValue: name) else {
                let known = Scope.allCases.map(\.rawValue).joined(separator: ", ")
                throw Failure.invalid(
                    FieldErrors("--scopes", "choice", "\"\(name)\" isn't a scope. Choose from \(known)."))
            }
            return scope
        }
        let actor = run.operatorActor
        let created = try await run.withDatabase { _, services in
            try await services.manageClient.create(
                name: run.arguments.argument(Arguments.name) ?? "", scopes: scopes,
                perMinute: run.arguments.integer(Arguments.perMinute),
                by: actor)
        }
        return try report(created.id, created.secret, run)
    }

    private static func rotate(_ run: CommandRun) async throws -> ExitCode {
        let id: ID<APIClient> = try run.id(run.arguments.argument(Arguments.id) ?? "")
        let actor = run.operatorActor
        let secret = try await run.withDatabase { _, services in
            try await services.manageClient.rotate(
                id, overlapHours: run.arguments.integer(Arguments.overlap) ?? 0, by: actor)
        }
        return try report(id, secret, run)
    }

    private static func report(_ id: ID<APIClient>, _ secret: Token, _ run: CommandRun) throws -> ExitCode {
        let client = DevelopmentClient(id: id.description, secret: secret.text)
        if run.isJSON {
            try Output.json(client)
        } else {
            Output.line("id: \(client.id)\nsecret: \(client.secret)")
            Output.note("Store the secret now. It won't be shown again.")
        }
        return .ok
    }

    private static func list(_ run: CommandRun) async throws -> ExitCode {
        let clients = try await run.withDatabase { database, _ in try await database.clients.list() }
        for line in clients {
            let client = line.client
            let until = client.oldSecretUntil.map { InstantText.text($0, milliseconds: false) }
            if run.isJSON {
                try Output.json(
                    Line(
                        id: client.id.description, name: client.name, scopes: client.scopes.map(\.rawValue),
                        revoked: client.isRevoked, per_minute: client.perMinute,
                        last_used: line.usedAt.map { InstantText.text($0, milliseconds: false) },
                        old_secret_until: until,
                        old_secret_last_used: until == nil
                            ? nil : line.oldSecretUsedAt.map { InstantText.text($0, milliseconds: false) }))
            } else {
                let scopes = client.scopes.map(\.rawValue).joined(separator: ",")
                let used = line.usedAt.map { "last used \(InstantText.text($0, milliseconds: false))" } ?? "never used"
                let limit = client.perMinute.map { "  \($0) per minute" } ?? ""
                let old = until.map { "  old secret until \($0)" } ?? ""
                Output.line(
                    "\(client.id)  \(client.name)  \(scopes)  \(used)\(limit)\(old)\(client.isRevoked ? "  revoked" : "")"
                )
            }
        }
        return .ok
    }

    private struct Limited: Encodable {
        let id: String
        /// Nil for no limit.
        let per_minute: Int?
    }

    private static func update(_ run: CommandRun) async throws -> ExitCode {
        let id: ID<APIClient> = try run.id(run.arguments.argument(Arguments.id) ?? "")
        let perMinute = run.arguments.integer(Arguments.perMinute)
        let actor = run.operatorActor
        try await run.withDatabase { _, services in
            try await services.manageClient.setLimit(id, perMinute: perMinute, by: actor)
        }
        if run.isJSON {
            try Output.json(Limited(id: id.description, per_minute: perMinute))
        } else {
            Output.line(perMinute.map { "Limit set to \($0) requests per minute." } ?? "Limit removed.")
        }
        return .ok
    }

    private static func revoke(_ run: CommandRun) async throws -> ExitCode {
        let id: ID<APIClient> = try run.id(run.arguments.argument(Arguments.id) ?? "")
        let actor = run.operatorActor
        try await run.withDatabase { _, services in try await services.manageClient.revoke(id, by: actor) }
        if run.isJSON { try Output.json(["revoked": id.description]) } else { Output.line("Client revoked.") }
        return .ok
    }
}
