// Lists, creates, updates and deletes roles.
import CommandKit
import Domain
import Operations
import Platform
import Store

enum RoleCommand {
    private enum Arguments {
        static let label = Command.Option("label", .text(placeholder: "LABEL"), "Label that people see.")
        static let permissions = Command.Option(
            "permissions", .text(placeholder: "LIST"),
            "Comma-separated permissions: \(Permission.allCases.map(\.rawValue).joined(separator: ",")). "
                + "Every role has read_queue.")
        static let name = Command.Positional("name", "Name of the role.")
    }

    static let entries = [
        CommandEntry(
            "role", "list", summary: "List roles with their permissions.",
            details: "The presets come first: they are part of the program and can't be changed.",
            options: [CommandRun.json], run: list),
        CommandEntry(
            "role", "create", summary: "Create a role.", details: "A permission doesn't include others.",
            examples: [
                .init(
                    "role create moderator --label Moderator --permissions decide,suggest",
                    "decides submissions, publishes nothing")
            ],
            options: [
                Arguments.label.with(isRequired: true), Arguments.permissions.with(isRequired: true),
                CommandRun.json,
            ],
            positionals: [Arguments.name], run: create),
        CommandEntry(
            "role", "update", summary: "Change the label or the permissions of a role.",
            details: """
                --permissions replaces all permissions, from the next request of everyone who has the role. Presets and
                the last administrator are kept.
                """,
            examples: [.init("role update moderator --permissions decide", "no suggestions anymore")],
            options: [Arguments.label, Arguments.permissions, CommandRun.json], positionals: [Arguments.name],
            run: update),
        CommandEntry(
            "role", "delete", summary: "Delete a role that nothing uses.", options: [CommandRun.json],
            positionals: [Arguments.name], run: delete),
    ]

    private static let columns: [Column<Role>] = [
        .both("name") { $0.name }, .both("label") { $0.label }, .json("permissions") { $0.permissions.names },
        .text { $0.permissions.names.joined(separator: ",") }, .json("preset") { $0.isPreset },
        .text { $0.isPreset ? "preset" : nil },
    ]

    private static func list(_ run: CommandRun) async throws -> ExitCode {
        try run.list(try await run.withDatabase { database, _ in try await database.roles.list() }, columns)
    }

    private static func create(_ run: CommandRun) async throws -> ExitCode {
        let role = try await run.withDatabase { _, services in
            try await services.manageRole.create(
                name: name(run), label: run.arguments.text(Arguments.label) ?? "", permissions: permissions(run) ?? [],
                by: run.operatorActor)
        }
        return try run.show(role, columns)
    }

    private static func update(_ run: CommandRun) async throws -> ExitCode {
        let label = run.arguments.text(Arguments.label)
        let permissions = permissions(run)
        guard label != nil || permissions != nil else {
            throw Failure.invalid(FieldErrors("--label", "required", "Give --label or --permissions."))
        }
        let role = try await run.withDatabase { _, services in
            try await services.manageRole.update(
                name(run), label: label, permissions: permissions, by: run.operatorActor)
        }
        return try run.show(role, columns)
    }

    private static func delete(_ run: CommandRun) async throws -> ExitCode {
        try await run.withDatabase { _, services in
            try await services.manageRole.delete(name(run), by: run.operatorActor)
        }
        return try run.report(["deleted": name(run)], "Role deleted.")
    }

    private static func name(_ run: CommandRun) -> String { run.arguments.argument(Arguments.name) ?? "" }

    /// The comma-separated permissions; nil if they are not given.
    private static func permissions(_ run: CommandRun) -> [String]? {
        run.arguments.text(Arguments.permissions).map { $0.split(separator: ",").map { $0.filter { $0 != " " } } }
    }
}
