// Staff accounts from the command line.
import Accounts
import Domain
import Platform
import Store

enum AccountCommand {
    private static let email = Command.Positional("email", "The account's e-mail address.")

    static let entries = [
        CommandEntry(
            command: Command(
                "account", "add", summary: "Makes an account and prints a one-time sign-in link.",
                options: [
                    .init("name", .text(placeholder: "NAME"), "How others see it.", isRequired: true),
                    .init("role", .choice(Role.allCases.map(\.rawValue)), "What it may do.", isRequired: true),
                    .init(
                        "password-file", .text(placeholder: "FILE"),
                        "Its password, on the first line; - is standard input."),
                    CommandRun.json,
                ],
                positionals: [email]),
            run: add),
        CommandEntry(
            command: Command("account", "list", summary: "Lists the accounts.", options: [CommandRun.json]), run: list),
        CommandEntry(
            command: Command(
                "account", "link", summary: "Prints a new one-time sign-in link.", options: [CommandRun.json],
                positionals: [email]),
            run: link),
        CommandEntry(
            command: Command(
                "account", "password", summary: "Sets a password and ends the account's sessions.",
                options: [
                    .init(
                        "password-file", .text(placeholder: "FILE"), "The password, on the first line.",
                        isRequired: true)
                ],
                positionals: [email]),
            run: password),
        CommandEntry(
            command: Command(
                "account", "role", summary: "Gives an account another role.",
                positionals: [email, .init("role", "curator, editor, publisher or administrator.")]),
            run: role),
        CommandEntry(
            command: Command(
                "account", "disable", summary: "Keeps an account out and ends its sessions.", positionals: [email]),
            run: { try await setDisabled($0, true) }),
        CommandEntry(
            command: Command("account", "enable", summary: "Lets an account in again.", positionals: [email]),
            run: { try await setDisabled($0, false) }),
    ]

    private struct Line: Encodable {
        let id: String
        let email: String
        let name: String
        let role: String
        let disabled: Bool
    }

    private struct Made: Encodable {
        let id: String
        let sign_in_url: String
    }

    private static func add(_ run: CommandRun) async throws -> ExitCode {
        let password = try run.secret("password-file")
        let url = try run.settings().publicURL
        let actor = run.operatorActor
        let made = try await run.withDatabase { database, _ in
            let manage = ManageAccount(database: database)
            let id = try await manage.add(
                email: run.arguments.argument("email") ?? "", name: run.arguments.text("name") ?? "",
                role: Role(rawValue: run.arguments.text("role") ?? "") ?? .curator, password: password, by: actor)
            return Made(
                id: id.description, sign_in_url: "\(url)/login/\(try await manage.signInLink(for: id, by: actor).text)")
        }
        try tell(run, made)
        return .ok
    }

    private static func link(_ run: CommandRun) async throws -> ExitCode {
        let url = try run.settings().publicURL
        let actor = run.operatorActor
        let made = try await run.withDatabase { database, _ in
            let account = try await find(run, database)
            let token = try await ManageAccount(database: database).signInLink(for: account.id, by: actor)
            return Made(id: account.id.description, sign_in_url: "\(url)/login/\(token.text)")
        }
        try tell(run, made)
        return .ok
    }

    private static func tell(_ run: CommandRun, _ made: Made) throws {
        if run.isJSON {
            try Output.json(made)
        } else {
            Output.line("Sign in once, within 15 minutes: \(made.sign_in_url)")
        }
    }

    private static func list(_ run: CommandRun) async throws -> ExitCode {
        let accounts = try await run.withDatabase { database, _ in try await database.accounts.list() }
        for account in accounts {
            if run.isJSON {
                try Output.json(
                    Line(
                        id: account.id.description, email: account.email, name: account.name,
                        role: account.role.rawValue,
                        disabled: account.isDisabled))
            } else {
                Output.line(
                    "\(account.email)  \(account.role.rawValue)  \(account.name)\(account.isDisabled ? "  disabled" : "")"
                )
            }
        }
        return .ok
    }

    private static func password(_ run: CommandRun) async throws -> ExitCode {
        guard let password = try run.secret("password-file") else { return .usage }
        let actor = run.operatorActor
        try await run.withDatabase { database, _ in
            try await ManageAccount(database: database).setPassword(try await find(run, database), password, by: actor)
        }
        Output.line("The password is set; the account's sessions are ended.")
        return .ok
    }

    private static func role(_ run: CommandRun) async throws -> ExitCode {
        guard let role = Role(rawValue: run.arguments.argument("role") ?? "") else {
            let names = Role.allCases.map(\.rawValue).joined(separator: ", ")
            throw Failure.invalid(FieldErrors("role", "choice", "A role is one of \(names)."))
        }
        let actor = run.operatorActor
        try await run.withDatabase { database, _ in
            try await ManageAccount(database: database).setRole(try await find(run, database).id, role, by: actor)
        }
        Output.line("The role is \(role.rawValue); the account signs in anew.")
        return .ok
    }

    private static func setDisabled(_ run: CommandRun, _ isDisabled: Bool) async throws -> ExitCode {
        let actor = run.operatorActor
        try await run.withDatabase { database, _ in
            try await ManageAccount(database: database).setDisabled(
                try await find(run, database).id, isDisabled, by: actor)
        }
        Output.line(isDisabled ? "The account is kept out; its sessions are ended." : "The account is let in again.")
        return .ok
    }

    private static func find(_ run: CommandRun, _ database: Database) async throws -> AccountRow {
        guard let account = try await database.accounts.find(email: run.arguments.argument("email") ?? "") else {
            throw Failure.missing("account")
        }
        return account
    }
}
