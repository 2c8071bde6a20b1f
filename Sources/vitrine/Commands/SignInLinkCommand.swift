// Creates one-time sign-in links.
import CommandKit
import Domain
import Operations
import Platform
import Store

enum SignInLinkCommand {
    static let entries = [
        CommandEntry(
            "sign-in-link", "create", summary: "Create and print a one-time sign-in link.", options: [CommandRun.json],
            positionals: [AccountCommand.email], run: create)
    ]

    private static func create(_ run: CommandRun) async throws -> ExitCode {
        let link = try await run.withDatabase { database, services in
            let account = try await AccountCommand.find(run, database)
            let token = try await services.manageAccount.signInLink(for: account.id, by: run.operatorActor)
            return SignInLink(account.id, token, try await run.publicURL(database))
        }
        return try link.report(run)
    }
}

/// The link that signs an account in once.
struct SignInLink: Sendable {
    private let account: ID<Account>
    private let url: String

    init(_ account: ID<Account>, _ token: Token, _ publicURL: String) {
        self.account = account
        url = publicURL + AdminURL.loginLink(token.text)
    }

    func report(_ run: CommandRun) throws -> ExitCode {
        try run.report(
            ["id": account, "sign_in_url": url], "Sign in once, within 15 minutes: \(url)")
    }
}
