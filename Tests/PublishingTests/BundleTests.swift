// Everything out and in again: nothing is lost, nothing secret leaves, and what is wrong is named by line and field.
import Domain
import Editorial
import Postgres
import Publishing
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

    @Test("What was imported lives on as the original does: the way back, drafts, claims, the next publication")
    func livesOn() async throws {
        let old = try await BundleWorld.full()
        let new = try await BundleWorld.empty()
        try await new.import(try await old.export())
        for world in [old, new] {
            let publish = PublishRelease(database: world.test.database)
            // What a rule refuses in one it refuses in the other.
            for action in [
                { _ = try await publish.waiting(by: TestDatabase.administrator) },
                { _ = try await publish.back(to: 5, seen: nil, by: TestDatabase.administrator) },
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

    @Test("A try tells what would be done, and does nothing")
    func dryRun() async throws {
        let bundle = try await BundleWorld.full().export()
        let new = try await BundleWorld.empty()
        let before = try await new.export()
        let tried = try await new.import(bundle, isTry: true)
        #expect(try await new.export() == before)
        let done = try await new.import(bundle)
        #expect(tried.records == done.records && tried.rows == done.rows)
    }

    @Test("A database that holds something already is left alone, with a sentence")
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

    @Test("Secrets stay at home: no hash of a password, of a client's secret or of a link, and no webhook's secret")
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
            try await new.test.database.change(
                by: TestDatabase.administrator, AuditEvent("webhook.resume", on: "webhook")
            ) { try await $0.webhooks.resume(id) }
        }
        try await new.test.database.change(
            by: TestDatabase.administrator, AuditEvent("webhook.rotate", on: "webhook")
        ) { change in
            _ = try await change.webhooks.rotate(id, to: [1, 2, 3], hours: 24)
            _ = try await change.webhooks.resume(id)
        }
        #expect(try await new.test.database.webhooks.secrets(of: id)?.oldSecret == nil)
    }

    @Test("Every table is in a bundle, or left behind for a reason")
    func tables() async throws {
        let test = try await TestDatabase.make()
        let tables: [String] = try await test.client.query(
            """
            select schemaname || '.' || tablename as name from pg_tables
            where schemaname in ('curation', 'ops', 'delivery') order by 1
            """
        ).map { try $0("name") }
        let carried = Set(BundleTable.all.map(\.table))
        let left = Set(BundleTable.leftBehind.keys)
        #expect(carried.isDisjoint(with: left))
        let forgotten = tables.filter { !carried.contains($0) && !left.contains($0) }
        #expect(forgotten.isEmpty, "say in BundleTable whether bundles carry \(forgotten)")
        #expect(left.isSubset(of: tables))
    }

    private static func difference(_ first: [UInt8], _ second: [UInt8]) -> String {
        let lines = zip(first.split(separator: 0x0A), second.split(separator: 0x0A))
        let pair = lines.first { $0 != $1 }
        return pair.map { "\(String(decoding: $0, as: UTF8.self))\n\(String(decoding: $1, as: UTF8.self))" } ?? "length"
    }
}
