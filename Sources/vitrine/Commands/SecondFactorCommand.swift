// Shows and deletes the second factor of accounts.
import CommandKit
import Domain
import Operations
import Platform
import Store

enum SecondFactorCommand {
    static let entries = [
        CommandEntry(
            "second-factor", "show", summary: "Show whether an account has a second factor.",
            options: [CommandRun.json], positionals: [AccountCommand.email], run: show),
        CommandEntry(
            "second-factor", "delete", summary: "Delete the second factor of an account and sign it out.",
            details: """
                For people who have lost their authenticator app and recovery codes: the password alone is enough again.
                People set up a second factor on their account page.
                """,
            options: [CommandRun.json], positionals: [AccountCommand.email], run: delete),
    ]

    private struct Line: Encodable {
        let id: ID<Account>
        let second_factor: Bool
        let recovery_codes_left: Int
    }

    private static func show(_ run: CommandRun) async throws -> ExitCode {
        let line = try await run.withDatabase { database, _ in
            try await load(try await AccountCommand.find(run, database), database)
        }
        return try run.report(
            json: line,
            line.second_factor
                ? "Second factor is set up. Recovery codes left: \(line.recovery_codes_left)."
                : "No second factor is set up.")
    }

    private static func delete(_ run: CommandRun) async throws -> ExitCode {
        let line = try await run.withDatabase { database, _ in
            let account = try await AccountCommand.find(run, database)
            try await SecondFactor.remove(from: account.id, database, by: run.operatorActor)
            return try await load(account, database)
        }
        return try run.report(json: line, "Second factor deleted. The account is signed out of all devices.")
    }

    private static func load(_ account: AccountRow, _ database: Database) async throws -> Line {
        let row = try await database.secondFactors.find(account.id)
        return Line(
            id: account.id, second_factor: row?.confirmedAt != nil,
            recovery_codes_left: row?.codesLeft ?? 0)
    }
}
