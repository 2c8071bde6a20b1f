// Creates, invites, lists, updates, disables and enables staff accounts.
import CommandKit
import Domain
import Operations
import Platform
import Store

enum AccountCommand {
    private enum Arguments {
        static let role = Command.Option(
            "role", .text(placeholder: "ROLE"),
            "Name of the role: \(Role.presets.map(\.name).joined(separator: ", ")), or another one of \"role list\".")
        static let name = Command.Option("name", .text(placeholder: "NAME"), "Display name.")
        static let passwordFile = Command.Option(
            "password-file", .text(placeholder: "FILE"),
            "File with the password on its first line; - for standard input.")
        static let locale = Command.Option(
            "locale", .text(placeholder: "LANGUAGE"), "Language of mails; en by default.")
        static let resend = Command.Option("resend", .flag, "Send a new invitation to an invited account.")
        static let types = Command.Option(
            "types", .text(placeholder: "LIST"), "Restrict to these content types, comma-separated.", isRepeatable: true
        )
        static let groups = Command.Option(
            "groups", .text(placeholder: "LIST"), "Restrict to these category groups: slugs or ids, comma-separated.",
            isRepeatable: true)
        static let all = Command.Option("all", .flag, "Remove all restrictions.")
    }

    static let email = Command.Positional("email", "Email address of the account.")

    static let entries = [
        CommandEntry(
            "account", "create", summary: "Create an account and print a one-time sign-in link.",
            options: [
                Arguments.name.with(isRequired: true), Arguments.role.with(isRequired: true),
                Arguments.passwordFile, CommandRun.json,
            ],
            positionals: [email], run: create),
        CommandEntry(
            "account", "invite", summary: "Create an account and send an invitation.",
            details: """
                The mail is rendered from the published texts mail.invitation and mail.invitation.subject in the
                person's language. --resend sends a new invitation; the link of the old one stops working.
                """,
            examples: [.init("account invite ann@example.org --name Ann --role editor", "sends one mail")],
            options: [Arguments.name, Arguments.role, Arguments.locale, Arguments.resend, CommandRun.json],
            positionals: [email], run: invite),
        CommandEntry("account", "list", summary: "List accounts.", options: [CommandRun.json], run: list),
        CommandEntry(
            "account", "update", summary: "Change the role or access scope of an account.",
            details: """
                Changing the role signs the person out of all devices. The access scope restricts an account to content
                types and category groups; content without a category isn't restricted by groups.
                """,
            examples: [
                .init("account update ann@example.org --role editor", ""),
                .init("account update ann@example.org --types article,video", "only articles and videos"),
                .init("account update ann@example.org --all", "no restriction"),
            ],
            options: [Arguments.role, Arguments.types, Arguments.groups, Arguments.all, CommandRun.json],
            positionals: [email], run: update),
        CommandEntry(
            "account", "disable", summary: "Disable an account and sign it out.", options: [CommandRun.json],
            positionals: [email], run: { try await setDisabled($0, true) }),
        CommandEntry(
            "account", "enable", summary: "Enable a disabled account.", options: [CommandRun.json],
            positionals: [email], run: { try await setDisabled($0, false) }),
    ]

    private static let columns: [Column<AccountRow>] = [
        .json("id") { $0.id }, .both("email") { $0.email }, .both("role") { $0.role.name }, .both("name") { $0.name },
        .json("disabled") { $0.isDisabled }, .json("state") { $0.state.rawValue },
        .text { $0.state == .active ? nil : $0.state.rawValue },
    ]

    private static func create(_ run: CommandRun) async throws -> ExitCode {
        let password = try run.secret(Arguments.passwordFile)
        let link = try await run.withDatabase { database, services in
            let manage = services.manageAccount
            let id = try await manage.create(
                email: run.arguments.argument(Self.email) ?? "", name: run.arguments.text(Arguments.name) ?? "",
                role: try await role(run, database) ?? .curator, password: password, by: run.operatorActor)
            return SignInLink(
                id, try await manage.signInLink(for: id, by: run.operatorActor), try await run.publicURL(database))
        }
        return try link.report(run)
    }

    private static func invite(_ run: CommandRun) async throws -> ExitCode {
        let isConfigured = try run.settings().mail.url != nil
        let id = try await run.withDatabase { database, services in
            let invite = services.invitePerson
            if run.arguments.flag(Arguments.resend) {
                let account = try await find(run, database)
                try await invite.resend(account.id, by: run.operatorActor)
                return account.id
            }
            return try await invite(
                email: run.arguments.argument(Self.email) ?? "", name: run.arguments.text(Arguments.name) ?? "",
                role: try await role(run, database),
                locale: run.arguments.text(Arguments.locale) ?? "en", by: run.operatorActor)
        }
        return try run.report(
            ["id": id, "mail_configured": isConfigured],
            isConfigured
                ? "Invitation queued. The daemon sends it."
                : "Invitation queued, but no mail server is configured (mail.url). "
                    + "To get a link instead: vitrine sign-in-link create EMAIL")
    }

    private static func list(_ run: CommandRun) async throws -> ExitCode {
        try run.list(try await run.withDatabase { database, _ in try await database.accounts.list() }, columns)
    }

    private static func update(_ run: CommandRun) async throws -> ExitCode {
        let (types, groups, isAll) = (
            list(Arguments.types, run), list(Arguments.groups, run), run.arguments.flag(Arguments.all)
        )
        let hasRole = run.arguments.text(Arguments.role) != nil
        guard hasRole || types != nil || groups != nil || isAll else {
            throw Failure.invalid(FieldErrors("--role", "required", "Give --role, --types, --groups or --all."))
        }
        guard !isAll || (types == nil && groups == nil) else {
            throw Failure.invalid(FieldErrors("--all", "conflict", "Use --all without --types and --groups."))
        }
        let known = try run.rules(try run.settings()).types
        for name in types ?? [] where known[name] == nil {
            throw Failure.invalid(FieldErrors("--types", "choice", "There is no content type \"\(name)\"."))
        }
        let (scope, changed) = try await run.withDatabase { database, services in
            let account = try await find(run, database)
            let manage = services.manageAccount
            var groupIDs: Set<ID<Entry>>?
            if let groups { groupIDs = try await categoryGroups(groups, database) }
            if let role = try await role(run, database) {
                try await manage.setRole(account.id, role, by: run.operatorActor)
            }
            let scope =
                isAll
                ? AccessScope(types: [], groups: [])
                : AccessScope(
                    types: types.map { Set($0) } ?? account.scope.types, groups: groupIDs ?? account.scope.groups)
            if isAll || types != nil || groups != nil {
                try await manage.setScope(account, scope, by: run.operatorActor)
            }
            return (scope, try await find(run, database))
        }
        if run.isJSON { return try run.show(changed, columns) }
        if hasRole { Output.line("Role changed to \(changed.role.name). The account is signed out of all devices.") }
        if isAll || types != nil || groups != nil {
            Output.line(scope.isAll ? "Access is not restricted." : "Access scope updated.")
        }
        return .ok
    }

    /// The role that is given; nil if none is.
    private static func role(_ run: CommandRun, _ database: Database) async throws -> Role? {
        guard let name = run.arguments.text(Arguments.role) else { return nil }
        return try await database.roles.named(name, pointer: "--role")
    }

    /// The ids of category groups that are given by slug or id.
    private static func categoryGroups(_ names: [String], _ database: Database) async throws -> Set<ID<Entry>> {
        let all = try await database.entries.choices(.categoryGroup)
        return Set(
            try names.map { name in
                guard let group = all.first(where: { $0.slug == name || $0.id.description == name }) else {
                    throw Failure.invalid(FieldErrors("--groups", "choice", "There is no category group \"\(name)\"."))
                }
                return group.id
            })
    }

    /// The comma-separated values of an option; nil if it is not given.
    private static func list(_ option: Command.Option, _ run: CommandRun) -> [String]? {
        let values = run.arguments.texts(option)
        return values.isEmpty ? nil : values.flatMap { $0.split(separator: ",").map { $0.filter { $0 != " " } } }
    }

    private static func setDisabled(_ run: CommandRun, _ isDisabled: Bool) async throws -> ExitCode {
        let changed = try await run.withDatabase { database, services in
            try await services.manageAccount.setDisabled(
                try await find(run, database).id, isDisabled, by: run.operatorActor)
            return try await find(run, database)
        }
        return try run.report(
            JSONObject(changed, columns), isDisabled ? "Account disabled and signed out." : "Account enabled.")
    }

    static func find(_ run: CommandRun, _ database: Database) async throws -> AccountRow {
        let email = run.arguments.argument(Self.email) ?? ""
        return try await database.accounts.find(email: email).orMissing("account \"\(email)\"")
    }
}
