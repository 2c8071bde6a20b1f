// Tests export and import of a whole deployment: complete, without secrets, with precise errors.
import Domain
import Operations
import Postgres
import Store
import TestSupport
import Testing

@Suite("Bundles", .databases)
struct BundleTests {
    @Test("B63, B66: export, import into an empty database, export again: the same bytes, and readers see the same")
    func lossless() async throws {
        let old = try await BundleWorld.full()
        let first = try await old.export(files: true)
        let new = try await BundleWorld.empty()
        let report = try await new.import(first)
        #expect(report.rows > 50)
        let second = try await new.export(files: true)
        #expect(first == second, "\(Self.difference(first, second))")

        #expect(try await new.test.database.publications.verify().isEmpty)
        #expect(try await new.test.readSnapshot() == old.test.readSnapshot())
        #expect(try await new.changes() == old.changes())
        #expect(try await new.test.database.publications.current() == old.test.database.publications.current())
    }

    @Test("An imported deployment works like the original: rollback, drafts, claims, the next publication")
    func livesOn() async throws {
        let old = try await BundleWorld.full()
        let new = try await BundleWorld.empty()
        try await new.import(try await old.export())
        for world in [old, new] {
            let publish = world.test.services.publishRelease
            // What a rule refuses in one it refuses in the other.
            for action in [
                { _ = try await publish.waiting(by: TestDatabase.administrator) },
                { _ = try await publish.rollback(to: 5, seen: nil, by: TestDatabase.administrator) },
            ] as [@Sendable () async throws -> Void] {
                do { try await action() } catch is Failure {}
            }
            #expect(try await world.test.database.publications.verify().isEmpty)
        }
        // Times of these last actions differ; what is shown does not.
        let shown: SQL = "select read_table || key || operation as line from api_v1.change order by number"
        let oldLines: [String] = try await old.test.client.query(shown).map { try $0("line") }
        let newLines: [String] = try await new.test.client.query(shown).map { try $0("line") }
        #expect(oldLines == newLines)
    }

    @Test("A dry run reports what would be imported, and imports nothing")
    func dryRun() async throws {
        let bundle = try await BundleWorld.full().export()
        let new = try await BundleWorld.empty()
        let before = try await new.export()
        let tried = try await new.import(bundle, isDryRun: true)
        #expect(try await new.export() == before)
        let done = try await new.import(bundle)
        #expect(tried.records == done.records && tried.rows == done.rows)
    }

    @Test("A database with content is not changed, and the error lists the content")
    func refusesContent() async throws {
        let old = try await BundleWorld.full()
        let bundle = try await old.export()
        let failure = await #expect(throws: Failure.self) { try await old.import(bundle) }
        guard case .refused("not_empty", let sentence) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(sentence.contains("entries"))
        #expect(try await old.export() == bundle)
    }

    @Test("The header lists the packs, and an import names those that are off", .allPacks)
    func packs() async throws {
        let bundle = try await BundleWorld.empty().export()
        let header = String(decoding: bundle.prefix { $0 != 0x0A }, as: UTF8.self)
        #expect(header.contains(#""packs":["places","routes","lists"]"#))
        let new = try await BundleWorld.empty()
        let before = try await new.export()
        let routes = PackSet(TestDatabase.allPacks.all.filter { $0.name == "routes" })
        for (packs, missing, all) in [
            (PackSet.none, "off here: places, routes, lists.", "\"places routes lists\""),
            (routes, "off here: places, lists.", "\"routes places lists\""),
        ] {
            let failure = await #expect(throws: Failure.self) { try await new.import(bundle, packs: packs) }
            guard case .refused("packs", let sentence) = failure else {
                Issue.record("\(String(describing: failure))")
                return
            }
            #expect(sentence.contains(missing) && sentence.contains(all), "\(sentence)")
        }
        #expect(try await new.export() == before)
    }

    @Test("Bundles contain no secrets: no hash of a password, client secret or link, and no webhook secret")
    func secrets() async throws {
        let old = try await BundleWorld.full()
        let text = String(decoding: try await old.export(), as: UTF8.self)
        let notified = ["password_hash", "secret_hash", "\"secret\"", "token_hash", "csrf", "736563726574"]
            .filter { text.contains($0) }
        #expect(notified.isEmpty)
        let new = try await BundleWorld.empty()
        try await new.import(Array(text.utf8))
        let hook = try await new.test.client.one("select id, state from ops.webhook")
        #expect(try hook("state") == "paused")
        let id: ID<Webhook> = try hook("id")
        await #expect(throws: Failure.self) {
            try await new.test.database.transaction(
                by: TestDatabase.administrator, AuditEvent("webhook.resume", on: "webhook")
            ) { try await $0.webhooks.resume(id) }
        }
        try await new.test.database.transaction(
            by: TestDatabase.administrator, AuditEvent("webhook.rotate", on: "webhook")
        ) { transaction in
            _ = try await transaction.webhooks.rotate(id, to: [1, 2, 3], hours: 24)
            _ = try await transaction.webhooks.resume(id)
        }
        #expect(try await new.test.database.webhooks.secrets(of: id)?.oldSecret == nil)
    }

    @Test("Every table is in a bundle, or excluded for a reason")
    func tables() async throws {
        let test = try await TestDatabase.make()
        let tables: [String] = try await test.client.query(
            """
            select schemaname || '.' || tablename as name from pg_tables
            where schemaname in ('curation', 'ops', 'delivery') order by 1
            """
        ).map { try $0("name") }
        let carried = Set(TestDatabase.packs.bundleTables.map(\.table))
        let left = Set(TestDatabase.packs.bundleExclusions.keys)
        #expect(carried.isDisjoint(with: left))
        let forgotten = tables.filter { !carried.contains($0) && !left.contains($0) }
        #expect(forgotten.isEmpty, "add to BundleTable: \(forgotten)")
        #expect(left.isSubset(of: tables))
    }

    private static func difference(_ first: [UInt8], _ second: [UInt8]) -> String {
        let lines = zip(first.split(separator: 0x0A), second.split(separator: 0x0A))
        let pair = lines.first { $0 != $1 }
        return pair.map { "\(String(decoding: $0, as: UTF8.self))\n\(String(decoding: $1, as: UTF8.self))" } ?? "length"
    }
}
