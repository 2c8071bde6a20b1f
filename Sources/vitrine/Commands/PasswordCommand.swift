// Sets passwords of accounts.
import CommandKit
import Domain
import Operations
import Platform
import Store

enum PasswordCommand {
    private enum Arguments {
        static let passwordFile = Command.Option(
            "password-file", .text(placeholder: "FILE"),
            "File with the password on its first line; - for standard input.", isRequired: true)
    }

    static let entries = [
        CommandEntry(
            "password", "update", summary: "Set the password of an account and sign it out.",
            options: [Arguments.passwordFile, CommandRun.json], positionals: [AccountCommand.email], run: update)
    ]

    private static func update(_ run: CommandRun) async throws -> ExitCode {
        guard let password = try run.secret(Arguments.passwordFile) else { return .usage }
        let id = try await run.withDatabase { database, services in
            let account = try await AccountCommand.find(run, database)
            try await services.manageAccount.setPassword(account, password, by: run.operatorActor)
            return account.id
        }
        return try run.report(["id": id], "Password updated. The account is signed out of all devices.")
    }
}
