// Staff accounts from the command line.
import Accounts
import Domain
import Platform
import Store

enum AccountCommand {
    private static let email = Command.Positional("email", "The account's email address.")

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
            command: Command(
                "account", "invite", summary: "Makes an account and writes its invitation.",
                details: """
                    The mail is rendered from the published texts mail.invitation and mail.invitation.subject in the
                    person's language. For an account that is invited already, --again writes another mail, and the old
                    link is dead.
                    """,
                examples: [.init("account invite ann@example.org --name Ann --role editor", "one mail")],
                options: [
                    .init("name", .text(placeholder: "NAME"), "How others see it."),
                    .init("role", .choice(Role.allCases.map(\.rawValue)), "What it may do."),
                    .init("locale", .text(placeholder: "LANGUAGE"), "The language of its mails; en unless given."),
                    .init("again", .flag, "Write another invitation to an account that has one."), CommandRun.json,
                ],
                positionals: [email]),
            run: invite),
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
                "account", "scope", summary: "Says what of the content an account works on.",
                details: """
                    Given neither option, everything. What is in no category is not narrowed by groups.
                    """,
                examples: [.init("account scope ann@example.org --types article,video", "articles and videos only")],
                options: [
                    .init(
                        "types", .text(placeholder: "LIST"), "Names of content types, with commas; all unless given."),
                    .init(
                        "groups", .text(placeholder: "LIST"),
                        "Slugs or ids of category groups, with commas; all unless given."),
                ], positionals: [email]),
            run: scope),
        CommandEntry(
            command: Command(
                "account", "second-factor", summary: "Says whether an account has a second factor, or takes it away.",
                details: """
                    With --remove the password alone counts again and the account's sessions end: for somebody who has lost
                    the app and the recovery codes. People set it up on their own account page.
                    """,
                options: [.init("remove", .flag, "Take it away."), CommandRun.json], positionals: [email]),
            run: secondFactor),
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
        let state: String
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
        try notify(run, made)
        return .ok
    }

    private struct Invited: Encodable {
        let id: String
        let mail_is_set_up: Bool
    }

    private static func invite(_ run: CommandRun) async throws -> ExitCode {
        let isSetUp = try run.settings().mail.url != nil
        let actor = run.operatorActor
        let id = try await run.withDatabase { database, _ in
            let invite = InvitePerson(database: database)
            if run.arguments.flag("again") {
                let account = try await find(run, database)
                try await invite.again(account.id, by: actor)
                return account.id
            }
            return try await invite(
                email: run.arguments.argument("email") ?? "", name: run.arguments.text("name") ?? "",
                role: run.arguments.text("role").flatMap { Role(rawValue: $0) },
                locale: run.arguments.text("locale") ?? "en", by: actor)
        }
        if run.isJSON {
            try Output.json(Invited(id: id.description, mail_is_set_up: isSetUp))
        } else {
            Output.line(
                isSetUp
                    ? "The invitation is written; the daemon sends it."
                    : "The invitation waits: this configuration names no mail server (mail.url). "
                        + "\"vitrine account link\" prints a link to hand over.")
        }
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
        try notify(run, made)
        return .ok
    }

    private static func notify(_ run: CommandRun, _ made: Made) throws {
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
                        disabled: account.isDisabled, state: account.state.rawValue))
            } else {
                Output.line(
                    "\(account.email)  \(account.role.rawValue)  \(account.name)\(account.state == .active ? "" : "  \(account.state.rawValue)")"
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

    private static func scope(_ run: CommandRun) async throws -> ExitCode {
        let types = words("types", run)
        let groupWords = words("groups", run)
        let actor = run.operatorActor
        let known = try ContentTypes(folder: try run.settings().directories.contentTypes)
        let scope = try await run.withDatabase { database, _ in
            let all = try await database.entries.choices(.categoryGroup)
            let groups = try groupWords.map { word in
                guard let group = all.first(where: { $0.slug == word || $0.id.description == word }) else {
                    throw Failure.invalid(FieldErrors("--groups", "choice", "There is no category group \"\(word)\"."))
                }
                return group.id
            }
            for word in types where known[word] == nil {
                throw Failure.invalid(FieldErrors("--types", "choice", "There is no content type \"\(word)\"."))
            }
            let scope = AccessScope(types: Set(types), groups: Set(groups))
            try await ManageAccount(database: database).setScope(try await find(run, database), scope, by: actor)
            return scope
        }
        Output.line(scope.isAll ? "The account works on everything." : "The account works on these only.")
        return .ok
    }

    private static func words(_ option: String, _ run: CommandRun) -> [String] {
        (run.arguments.text(option) ?? "").split(separator: ",").map { $0.filter { $0 != " " } }
    }

    private struct Factor: Encodable {
        let id: String
        let second_factor: Bool
        let recovery_codes_left: Int
    }

    private static func secondFactor(_ run: CommandRun) async throws -> ExitCode {
        let actor = run.operatorActor
        let found = try await run.withDatabase { database, _ in
            let account = try await find(run, database)
            if run.arguments.flag("remove") {
                try await SecondFactor.remove(from: account.id, database, by: actor)
            }
            let row = try await database.secondFactors.find(account.id)
            return Factor(
                id: account.id.description, second_factor: row?.confirmedAt != nil,
                recovery_codes_left: row?.codesLeft ?? 0)
        }
        if run.isJSON {
            try Output.json(found)
        } else if run.arguments.flag("remove") {
            Output.line("The second factor is taken away; the account's sessions are ended.")
        } else {
            Output.line(
                found.second_factor
                    ? "A second factor is set up; \(found.recovery_codes_left) recovery codes are left."
                    : "There is no second factor.")
        }
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
