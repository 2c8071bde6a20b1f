// Revokes old secrets of API clients.
import CommandKit
import Domain
import Operations
import Platform
import Store

enum ClientSecretCommand {
    private enum Arguments {
        static let id = Command.Positional("id", "Client id.")
    }

    static let entries = [
        CommandEntry(
            "client-secret", "revoke", summary: "Revoke the old secret of an API client before its overlap ends.",
            options: [CommandRun.json], positionals: [Arguments.id], run: revoke)
    ]

    private static func revoke(_ run: CommandRun) async throws -> ExitCode {
        let id: ID<APIClient> = try run.id(run.arguments.argument(Arguments.id) ?? "")
        try await run.withDatabase { _, services in
            try await services.manageClient.revokeOldSecret(id, by: run.operatorActor)
        }
        return try run.report(["revoked": id], "Old secret revoked.")
    }
}
