// Tests that an older program recognizes a newer schema and leaves it alone.
import Domain
import Postgres
import Store
import TestSupport
import Testing

@Suite("The state of the schema", .databases)
struct SchemaStateTests {
    /// The database, a connection that may migrate it, and the schema as the daemon sees it.
    private func world() async throws -> (test: TestDatabase, owner: PostgresClient, schema: Schema) {
        let test = try await TestDatabase.make()
        let roles = try #require(TestDatabase.roles)
        return (test, test.superuser(), Schema(client: test.daemon, roles: roles, packs: TestDatabase.packs))
    }

    private func migrate(_ owner: PostgresClient, _ test: TestDatabase, version: String) async throws {
        let roles = try #require(TestDatabase.roles)
        try await Schema(client: owner, roles: roles, packs: TestDatabase.packs).migrate(
            types: test.rules.types, version: version)
    }

    /// Installs a function as a program with other functions would, and records it.
    private func install(_ checksum: String, by version: String, _ owner: PostgresClient) async throws {
        try await owner.run(
            script: """
                begin;
                create or replace function projection.preview_length() returns integer language sql stable parallel safe
                    as 'select 7';
                update projection.read_table set checksum = '\(checksum)';
                insert into projection.installation (checksum, program_version, packs)
                values ('\(checksum)', '\(version)', '\(TestDatabase.packs.names.joined(separator: " "))');
                commit;
                """)
    }

    private func previewLength(_ owner: PostgresClient) async throws -> Int {
        try await owner.one("select projection.preview_length() as n")("n")
    }

    private func expectRefusal(_ world: (test: TestDatabase, owner: PostgresClient, schema: Schema), _ version: String)
        async throws
    {
        for attempt in [
            { try await migrate(world.owner, world.test, version: version) },
            { _ = try await world.schema.dryRun(types: world.test.rules.types, version: version) },
        ] as [() async throws -> Void] {
            let failure = await #expect(throws: Failure.self) { try await attempt() }
            guard case .refused("newer_schema", let message) = failure else {
                Issue.record("\(String(describing: failure))")
                return
            }
            #expect(message.contains("migrated this database"))
        }
    }

    @Test("R24: a migrated database is current; without its functions, one step is pending")
    func current() async throws {
        let world = try await world()
        #expect(try await world.schema.state(version: "test") == .current)
        try await world.owner.execute("update projection.read_table set checksum = 'older'")
        #expect(try await world.schema.state(version: "test") == .pending(["functions"]))
        try await migrate(world.owner, world.test, version: "test")
        #expect(try await world.schema.state(version: "test") == .current)
    }

    @Test("A configuration without the packs of the database is told to set them", .packs(.lists))
    func otherPacks() async throws {
        let test = try await TestDatabase.make()
        let core = Schema(client: test.daemon, roles: try #require(TestDatabase.roles), packs: .none)
        let names = TestDatabase.packs.names.joined(separator: " ")
        let state = try await core.state(version: "test")
        #expect(state == .otherPacks(names) && state.problem?.contains("VITRINE_PACKS) to \"\(names)\"") == true)
    }

    @Test("R24: a migration that the program doesn't know is of a newer program, which is named; migrate refuses")
    func unknownMigration() async throws {
        let world = try await world()
        try await world.owner.execute(
            "insert into vitrine.migration (name, checksum, applied_by) values ('core/later', 'x', '9.1.0')")
        #expect(try await world.schema.state(version: "0.1.0") == .newer("9.1.0"))
        try await expectRefusal(world, "0.1.0")
    }

    @Test(
        "R24: functions of a greater version are newer, those of a lower one are replaced",
        arguments: [
            ("0.9.0", "0.10.0", true), ("1.2.3", "1.2.4", true), ("1.2", "1.2.1", true), ("0.10.0", "0.9.0", false),
            ("1.2.1", "1.2", false), ("2.0.0", "1.9.9", false),
        ])
    func versions(own: String, installed: String, isNewer: Bool) async throws {
        let world = try await world()
        try await install("other", by: installed, world.owner)
        #expect(
            try await world.schema.state(version: own) == (isNewer ? .newer(installed) : .pending(["functions"])))
        if isNewer {
            try await expectRefusal(world, own)
        } else {
            try await migrate(world.owner, world.test, version: own)
        }
        #expect(try await previewLength(world.owner) == (isNewer ? 7 : 280))
    }

    @Test("R24: of two builds of one version, the one whose functions were replaced is the older one")
    func builds() async throws {
        let world = try await world()
        // The functions of this program were installed as version "test" when the database was made.
        try await install("other", by: "test", world.owner)
        #expect(try await world.schema.state(version: "test") == .newer("test"))
        try await expectRefusal(world, "test")
        #expect(try await previewLength(world.owner) == 7)
        // A build that was never installed here is newer.
        try await world.owner.execute("delete from projection.installation where checksum <> 'other'")
        #expect(try await world.schema.state(version: "test") == .pending(["functions"]))
        try await migrate(world.owner, world.test, version: "test")
        #expect(try await previewLength(world.owner) == 280)
        #expect(try await world.schema.state(version: "test") == .current)
    }
}
