// Tests that the SQL of `migrate --dry-run` runs in psql and has the result of `migrate`.
import Domain
import EventLoop
import FoundationEssentials
import Operations
import Platform
import Postgres
import Store
import TestBasics
import TestSupport
import Testing

@Suite("The SQL of a migration", .databases)
struct SchemaScriptTests {
    private func schema(_ client: PostgresClient) throws -> Schema {
        Schema(client: client, roles: try #require(TestDatabase.roles), packs: TestDatabase.packs)
    }

    /// Runs one of PostgreSQL's programs and returns what it prints; its status is 0.
    private func run(_ program: String, _ arguments: [String]) async throws -> String {
        let path = "/tmp/vitrine-script-\(UUIDv7.make())"
        defer { for name in [path, path + ".error"] { try? FileManager.default.removeItem(atPath: name) } }
        let process = try ChildProcess(
            "/usr/bin/" + program, arguments, environment: ["PATH": "/usr/bin:/bin"], output: .file(path),
            error: .file(path + ".error"))
        let code = await process.wait()
        func text(_ path: String) -> String {
            String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
        }
        #expect(code == 0, "\(program): \(text(path + ".error").suffix(2000))")
        return text(path)
    }

    private func apply(_ script: String, to url: String) async throws {
        let path = "/tmp/vitrine-script-\(UUIDv7.make()).sql"
        _ = FileManager.default.createFile(atPath: path, contents: Data(script.utf8))
        defer { try? FileManager.default.removeItem(atPath: path) }
        _ = try await run("psql", ["-qX", "-v", "ON_ERROR_STOP=1", "-f", path, url])
    }

    /// Tables, functions, triggers and grants. Comments of pg_dump are the same for the same version.
    private func dump(_ url: String) async throws -> String {
        try await run("pg_dump", ["--schema-only", url]).split(separator: "\n")
            .filter { !$0.hasPrefix("\\restrict") && !$0.hasPrefix("\\unrestrict") }.joined(separator: "\n")
    }

    @Test("On an empty database it does what migrate does, and nothing is left to do")
    func empty() async throws {
        let test = try await TestDatabase.make()
        let url = try await TestCluster.shared.database()
        let client = PostgresClient(
            configuration: PostgresConfiguration(
                url: url, pipelineConnections: 1, poolSize: 2, poolWait: .seconds(60), deadline: .seconds(60)),
            loops: [test.loop])
        client.start()
        let schema = try schema(client)
        try await apply(try await schema.dryRun(types: test.rules.types, version: "test"), to: url)
        #expect(try await schema.state(version: "test") == .current)
        #expect(try await schema.dryRun(types: test.rules.types, version: "test").isEmpty)
        #expect(try await dump(url) == dump(test.url))
        for table in ["curation.content_type", "curation.entry", "vitrine.migration", "ops.role"] {
            let count: SQL = "select count(*)::int from \(raw: table)"
            let (made, expected): (Int, Int) = (try await client.one(count)(0), try await test.client.one(count)(0))
            #expect(made == expected, "\(table)")
        }
    }

    @Test("With other functions installed, and with another rule of a content type, it brings them back")
    func upgrade() async throws {
        let test = try await TestDatabase.make()
        let owner = test.superuser()
        let schema = try schema(owner)
        #expect(try await schema.dryRun(types: test.rules.types, version: "test").isEmpty)
        try await owner.run(
            script: """
                begin;
                drop function projection.preview_length() cascade;
                create function projection.preview_length() returns text language sql as 'select ''7''';
                update projection.read_table set checksum = 'older';
                update curation.content_type set required_approvals = 3 where name = 'article';
                commit;
                """)
        let script = try await schema.dryRun(types: test.rules.types, version: "test")
        #expect(!script.contains("create table curation."))
        try await apply(script, to: test.url)
        #expect(try await schema.state(version: "test") == .current)
        let approvals: Int = try await owner.one(
            "select required_approvals from curation.content_type where name = 'article'")(0)
        #expect(approvals == 1)
        #expect(try await owner.one("select projection.preview_length()::int")(0) as Int > 0)
    }

    @Test("With other text fields of a content type, the read tables are repaired", arguments: [true, false])
    func textFields(asScript: Bool) async throws {
        let test = try await TestDatabase.make()
        let entry = try await test.publish("article", "Plain", ["author": "Rosalind"])
        let owner = test.superuser()
        let schema = try schema(owner)
        func found() async throws -> [String] {
            try await owner.query(
                "select id::text as id from api_v1.search where terms @@ api_v1.parse_query('rosalind')"
            ).map { try $0("id") }
        }
        func script() async throws -> String { try await schema.dryRun(types: test.rules.types, version: "test") }
        // As if the field were new.
        try await owner.execute(
            "update curation.content_type set text_fields = array_remove(text_fields, 'author') where name = 'article'")
        _ = try await test.services.verifyReadTables.repair(by: TestDatabase.administrator)
        #expect(try await found().isEmpty)
        let changes = try await script()
        #expect(changes.contains("-- content types\n"))
        if asScript {
            try await apply(changes, to: test.url)
        } else {
            try await schema.migrate(types: test.rules.types, version: "test")
        }
        #expect(try await found() == [entry.description])
        #expect(try await test.isVerified())
        #expect(try await script().isEmpty)
        // A run that ended before its repair.
        try await owner.execute("insert into projection.repair_due values ('test')")
        #expect(try await script().contains("curation.repair("))
    }
}
