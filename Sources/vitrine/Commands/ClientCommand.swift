// Creates, lists, rotates, updates and revokes API clients.
import CommandKit
import Domain
import FoundationEssentials
import Operations
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
            "client", "create", summary: "Create an API client and print its credentials once.",
            examples: [.init("client create portal --scopes submit,read-guest", "")],
            options: [Arguments.scopes, Arguments.perMinute, CommandRun.json], positionals: [Arguments.name],
            run: create),
        CommandEntry("client", "list", summary: "List API clients.", options: [CommandRun.json], run: list),
        CommandEntry(
            "client", "rotate", summary: "Rotate the secret of an API client and print it once.",
            details: """
                The old secret stops working at once, or after --overlap hours, so that the application can switch
                without downtime; "client list" shows when it was last used. Imported clients have no secret until
                their first rotation.
                """,
            examples: [.init("client rotate 0193b2a0-0000-7000-8000-000000000000 --overlap 24", "switch within a day")],
            options: [Arguments.overlap, CommandRun.json], positionals: [Arguments.id], run: rotate),
        CommandEntry(
            "client", "update", summary: "Set or remove the request limit of an API client.",
            options: [Arguments.perMinute, CommandRun.json], positionals: [Arguments.id], run: update),
        CommandEntry(
            "client", "revoke", summary: "Revoke an API client permanently.", options: [CommandRun.json],
            positionals: [Arguments.id], run: revoke),
    ]

    private static let columns: [Column<ClientLine>] = [
        .both("id") { $0.client.id }, .both("name") { $0.client.name },
        .json("scopes") { $0.client.scopes.map(\.rawValue) },
        .text { $0.client.scopes.map(\.rawValue).joined(separator: ",") },
        .json("last_used") { text($0.usedAt) },
        .text { text($0.usedAt).map { "last used \($0)" } ?? "never used" },
        .json("per_minute") { $0.client.perMinute },
        .text { $0.client.perMinute.map { "\($0) per minute" } },
        .json("old_secret_until") { text($0.client.oldSecretUntil) },
        .text { text($0.client.oldSecretUntil).map { "old secret until \($0)" } },
        .json("old_secret_last_used") { $0.client.oldSecretUntil == nil ? nil : text($0.oldSecretUsedAt) },
        .json("revoked") { $0.client.isRevoked }, .text { $0.client.isRevoked ? "revoked" : nil },
    ]

    private static func text(_ time: Date?) -> String? { time.map { InstantText.text($0, milliseconds: false) } }

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
        let created = try await run.withDatabase { _, services in
            try await services.manageClient.create(
                name: run.arguments.argument(Arguments.name) ?? "", scopes: scopes,
                perMinute: run.arguments.integer(Arguments.perMinute),
                by: run.operatorActor)
        }
        return try run.report(created.id, secret: created.secret.text)
    }

    private static func rotate(_ run: CommandRun) async throws -> ExitCode {
        let id: ID<APIClient> = try run.id(run.arguments.argument(Arguments.id) ?? "")
        let secret = try await run.withDatabase { _, services in
            try await services.manageClient.rotate(
                id, overlapHours: run.arguments.integer(Arguments.overlap) ?? 0, by: run.operatorActor)
        }
        return try run.report(id, secret: secret.text)
    }

    private static func list(_ run: CommandRun) async throws -> ExitCode {
        try run.list(try await run.withDatabase { database, _ in try await database.clients.list() }, columns)
    }

    private static func update(_ run: CommandRun) async throws -> ExitCode {
        let id: ID<APIClient> = try run.id(run.arguments.argument(Arguments.id) ?? "")
        let perMinute = run.arguments.integer(Arguments.perMinute)
        try await run.withDatabase { _, services in
            try await services.manageClient.setLimit(id, perMinute: perMinute, by: run.operatorActor)
        }
        return try run.report(
            ["id": id, "per_minute": perMinute],
            perMinute.map { "Limit set to \($0) requests per minute." } ?? "Limit removed.")
    }

    private static func revoke(_ run: CommandRun) async throws -> ExitCode {
        let id: ID<APIClient> = try run.id(run.arguments.argument(Arguments.id) ?? "")
        try await run.withDatabase { _, services in try await services.manageClient.revoke(id, by: run.operatorActor) }
        return try run.report(["revoked": id], "Client revoked.")
    }
}
