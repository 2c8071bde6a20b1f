// Migrates the database to the schema of this program.
import CommandKit
import EventLoop
import Platform
import Postgres
import Store

enum MigrateCommand {
    static let entries = [
        CommandEntry(
            "migrate", summary: "Migrate the database of DATABASE_URL to this program's schema.",
            details:
                "The user of DATABASE_URL must be allowed to create roles and schemas. Safe to run repeatedly. Refuses if a "
                + "newer program has migrated the database.",
            examples: [.init("migrate --dry-run", "print the SQL without running it, for psql")],
            options: [CommandRun.dryRun], run: migrate)
    ]

    private static func migrate(_ run: CommandRun) async throws -> ExitCode {
        let settings = try run.settings()
        let rules = try run.rules(settings)
        let loop = EventLoop(name: "migrate")
        loop.start()
        let client = PostgresClient(
            configuration: settings.postgres(
                url: try await run.databaseURL(settings), role: nil, pipeline: 1, pool: 1,
                deadline: .seconds(3600)),
            loops: [loop])
        client.start()
        // Reports an unavailable database with its cause.
        let database = Database(client: client, packs: .none)
        try await database.connect()
        let schema = Schema(
            client: client, roles: settings.roles, packs: try settings.enabledPacks())
        if run.arguments.flag(CommandRun.dryRun) {
            let text = try await schema.dryRun(types: rules.types, version: Program.version)
            Output.line(text.isEmpty ? "-- nothing to migrate" : text)
        } else {
            try await schema.migrate(types: rules.types, version: Program.version) { Output.note("\($0)") }
            Output.note("The schema matches vitrine \(Program.version).")
            if try await database.identities.isCopy() { Output.note(IdentityStore.copied) }
        }
        await client.close()
        return .ok
    }
}
