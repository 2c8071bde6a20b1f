// Tests that a publication failing at any statement changes nothing, and that any changed byte is found.
import Domain
import Operations
import Postgres
import Routes
import Store
import TestBasics
import TestSupport
import Testing

@Suite("Failed publications and corrupted rows", .databases)
struct FaultTests {
    /// Everything of the product in the database, by table: what a failed publication must leave as it was.
    private func everything(_ owner: PostgresClient) async throws -> [String: String] {
        var found: [String: String] = [:]
        for table in try await owner.query(
            """
            select format('%I.%I', schemaname, tablename) as name from pg_tables
            where schemaname in ('curation', 'api_v1', 'ops') and tablename not like '%\\_link' order by 1
            """)
        {
            let name: String = try table("name")
            found[name] = try await owner.one(
                "select md5(coalesce(string_agg(t::text, ',' order by t::text), '')) as sum from \(raw: name) t")("sum")
        }
        return found
    }

    /// The tables that publishing a release writes.
    private func written(by release: Int64, _ owner: PostgresClient) async throws -> [String] {
        try await owner.undone { transaction in
            _ = try await transaction.query(
                """
                select curation.publish(c.entries, c.revisions, '00000000-0000-7000-8000-000000000001', r.id, '') as number
                from curation.release r, curation.release_changes(r.id) c where r.number = \(release)
                """)
            return try await transaction.query(
                """
                select format('%I.%I', schemaname, relname) as name from pg_stat_xact_user_tables
                where n_tup_ins + n_tup_upd + n_tup_del > 0 and schemaname <> 'ops' order by 1
                """
            ).map { try $0("name") }
        }
    }

    @Test(
        "R19: a publication that fails at any of its statements leaves everything as it was, and succeeds once it may")
    func everyStatement() async throws {
        let test = try await TestDatabase.make()
        var editor = RandomEditor(test: test, seed: 41)
        // No settings: two with one key cannot go live together.
        editor.types = ["article", "article", "video", "feed", "category", "onboarding_set", "text"]
        // Both or none: this seed's release can be published with either.
        if TestPack.places.isEnabled, TestPack.lists.isEnabled { editor.types += ["city", "list"] }
        for _ in 1...12 { try await editor.action() }
        // Something of every kind: new, edited, withdrawn; feeds and categories too.
        var changes: [LiveChange] = []
        for _ in 1...40 {
            if let change = try await editor.change(), !changes.contains(where: { $0.entry == change.entry }) {
                changes.append(change)
            }
        }
        let chosen = changes
        let number = try await test.services.composeRelease.create(
            title: "All kinds", items: chosen, by: TestDatabase.administrator)
        let publish = test.services.publishRelease
        let owner = test.superuser()
        try await owner.run(
            script: """
                create function public.break_off() returns trigger language plpgsql as
                $f$ begin raise exception 'broken off' using errcode = 'P0001'; end $f$;
                """)
        let tables = try await written(by: number, owner)
        #expect(tables.count > 15)
        let before = try await everything(owner)
        var refused = 0
        for table in tables {
            try await owner.run(
                script: """
                    create trigger break_off before insert or update or delete on \(table)
                    for each row execute function public.break_off();
                    """)
            do {
                _ = try await publish.release(number, seen: nil, by: TestDatabase.administrator)
                try await owner.run(script: "drop trigger break_off on \(table)")
                Issue.record("\(table) was not written")
                return
            } catch {
                refused += 1
            }
            try await owner.run(script: "drop trigger break_off on \(table)")
            #expect(try await everything(owner) == before, "\(table)")
        }
        #expect(refused == tables.count)
        #expect(try await publish.release(number, seen: nil, by: TestDatabase.administrator) != nil)
        #expect(try await test.database.publications.verify().isEmpty)
    }

    /// Rows in every read table.
    private static let everything = PreparedDatabase { test in
        var editor = RandomEditor(test: test, seed: 77)
        let types = editor.types
        for _ in 1...25 { try await editor.action() }
        // Some actions are refused and some unpublish: go on until there is a row.
        let places = TestPack.places.ifEnabled(["city", "place", "review", "promotion"])
        for type in ["category"] + TestPack.lists.ifEnabled(["list"]) + places {
            editor.types = [type]
            var rows = 0
            for count in 1...20 where count <= 3 || rows == 0 {
                try await editor.action()
                rows = try await test.client.one("select count(*) as n from api_v1.\(raw: type)")("n")
            }
        }
        if TestPack.routes.isEnabled {
            let world = RouteWorld(test: test)
            _ = try await world.route()
            try await world.badges()
            try await world.observations(
                .air, [("a", 50, 10.001, "1"), ("b", 50.00724, 10.001, "2"), ("c", 50.01, 10.001, "3")])
        }
        editor.types = types
        var empty = try await emptyTables(test)
        for _ in 1...100 where !empty.isEmpty {
            try await editor.action()
            empty = try await emptyTables(test)
        }
        #expect(empty == [])
    }

    private static func emptyTables(_ test: TestDatabase) async throws -> [String] {
        var empty: [String] = []
        for table in TestDatabase.packs.projectedTables {
            let rows: Int = try await test.client.one("select count(*) as n from api_v1.\(raw: table)")("n")
            if rows == 0 { empty.append(table) }
        }
        return empty
    }

    @Test("A changed column of a row is found in every read table, by its key, and repaired")
    func everyColumn() async throws {
        let test = try await Self.everything.copy()
        var changed: Set<String> = []
        for table in TestDatabase.packs.projectedTables { changed.insert(try await change(table, test.client)) }
        let (publications, comparison) = (test.database.publications, test.services.verifyReadTables)
        func found(_ rows: [RowChange]) -> Set<String> {
            #expect(rows.count == TestDatabase.packs.projectedTables.count)
            return Set(rows.map { "\($0.table) \($0.key) \($0.operation)" })
        }
        #expect(try await found(publications.verify()) == changed)
        #expect(try await found(comparison.verify(jobs: 4)) == changed)
        #expect(try await found(comparison.verify(since: 0, jobs: 2)) == changed)
        for since in [nil, 0] as [Int64?] {
            var rows: [RowChange] = []
            for part in try await publications.verificationParts(since: since, rows: 20) {
                rows += try await publications.verify(part, since: since)
            }
            #expect(found(rows) == changed)
        }
        #expect(try await comparison.verify(since: publications.current()).isEmpty)
        let before = try await publications.current()
        #expect(try await comparison.repair(jobs: 2, by: TestDatabase.administrator) == before + 1)
        #expect(try await publications.verify().isEmpty)
        #expect(try await comparison.repair(by: TestDatabase.administrator) == nil)
    }

    @Test("Missing and additional rows are found in every read table, in slices, too, and repaired")
    func everyRow() async throws {
        let test = try await Self.everything.copy()
        let (publications, comparison) = (test.database.publications, test.services.verifyReadTables)
        var missing: Set<String> = []
        for table in TestDatabase.packs.projectedTables {
            let keys: [String] = try await test.client.one(
                "select key from projection.read_table where name = \(table)")("key")
            let key: String = try await test.client.one(
                """
                delete from api_v1.\(raw: table) t where t.ctid = (select max(ctid) from api_v1.\(raw: table))
                returning \(raw: keys.map { "t.\($0)::text" }.joined(separator: " || '/' || ")) as key
                """)("key")
            missing.insert("\(table) \(key) insert")
        }
        var rows: [RowChange] = []
        for part in try await publications.verificationParts(rows: 10) { rows += try await publications.verify(part) }
        #expect(Set(rows.map { "\($0.table) \($0.key) \($0.operation)" }) == missing)
        #expect(rows.count == missing.count)
        #expect(try await comparison.repair(by: TestDatabase.administrator) != nil)
        #expect(try await publications.verify().isEmpty)

        // Without its cause, a row is additional.
        try await test.client.execute(
            """
            insert into api_v1.discover
            select (jsonb_populate_record(d, jsonb_build_object('id', curation.uuid_v7()))).*
            from api_v1.discover d limit 1
            """)
        #expect(try await comparison.verify(jobs: 3).map { "\($0.table) \($0.operation)" } == ["discover delete"])
        #expect(try await comparison.repair(by: TestDatabase.administrator) != nil)
        #expect(try await publications.verify().isEmpty)
    }

    /// Changes one byte of a column of text or JSON that is no key, in one row. Returns the difference that must be found.
    private func change(_ table: String, _ owner: PostgresClient) async throws -> String {
        let keys: [String] = try await owner.one("select key from projection.read_table where name = \(table)")("key")
        let columns = try await owner.query(
            """
            select attname as name, format_type(atttypid, null) as type from pg_attribute
            where attrelid = \("api_v1." + table)::regclass and attnum > 0 and not attisdropped
            """
        ).map { (name: try $0("name") as String, type: try $0("type") as String) }
        let constrained = ["tier", "result", "version", "path", "requires"]
        let others = columns.filter { !keys.contains($0.name) }
        let texts = others.filter { ["json", "text"].contains($0.type) && !constrained.contains($0.name) }
        let column = try #require(texts.first ?? others.first)
        let value =
            switch column.type {
            case "json": "regexp_replace(\(column.name)::text, '[a-z]', 'Z')::json"
            case "text": "coalesce(\(column.name), '') || 'x'"
            default: "\(column.name) + 1"
            }
        let key: String = try await owner.one(
            """
            update api_v1.\(raw: table) t set \(raw: column.name) = \(raw: value)
            where t.ctid = (select max(ctid) from api_v1.\(raw: table))
            returning \(raw: keys.map { "t.\($0)::text" }.joined(separator: " || '/' || ")) as key
            """)("key")
        return "\(table) \(key) update"
    }

    @Test("Readers see the old rows or the new ones during a repair, never a gap")
    func readersDuringRebuild() async throws {
        let test = try await TestDatabase.make()
        var editor = RandomEditor(test: test, seed: 5)
        for _ in 1...25 { try await editor.action() }
        let total: Int = try await test.client.one("select count(*) as n from api_v1.item")("n")
        let reader = Task {
            var counts: Set<String> = []
            while !Task.isCancelled {
                let row = try await test.guest.one(
                    "select count(*) as n, count(*) filter (where title like '%wrong') as bad from api_v1.item")
                let (n, bad): (Int, Int) = (try row("n"), try row("bad"))
                counts.insert("\(n) \(bad)")
            }
            return counts
        }
        for _ in 1...5 {
            try await test.client.run(script: "update api_v1.item set title = title || ' wrong'")
            _ = try await test.services.verifyReadTables.repair(by: TestDatabase.administrator)
        }
        reader.cancel()
        let seen = try await reader.value
        #expect(total > 0 && seen.isSubset(of: ["\(total) 0", "\(total) \(total)"]), "\(seen)")
    }
}
