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
                details:
                    "The secret before lets nobody in any more. Clients that a bundle brought have none before this.",
                options: [CommandRun.json], positionals: [.init("id", "The client.")]),
            run: renew),
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
                name: run.arguments.argument("name") ?? "", scopes: scopes, by: actor)
        }
        return try tell(made.id, made.secret, run)
    }

    private static func renew(_ run: CommandRun) async throws -> ExitCode {
        let id: ID<APIClient> = try run.id(run.arguments.argument("id") ?? "")
        let actor = run.operatorActor
        let secret = try await run.withDatabase { database, _ in
            try await ManageClient(database: database).renew(id, by: actor)
        }
        return try tell(id, secret, run)
    }

    private static func tell(_ id: ID<APIClient>, _ secret: Token, _ run: CommandRun) throws -> ExitCode {
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
        for client in clients {
            if run.isJSON {
                try Output.json(
                    Line(
                        id: client.id.description, name: client.name, scopes: client.scopes.map(\.rawValue),
                        revoked: client.isRevoked))
            } else {
                let scopes = client.scopes.map(\.rawValue).joined(separator: ",")
                Output.line("\(client.id)  \(client.name)  \(scopes)\(client.isRevoked ? "  revoked" : "")")
            }
        }
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
