// Tests that migrations run once, in order, completely, and can be repeated after any interruption.
import Postgres
import TestBasics
import Testing

@Suite("Migrations")
struct MigratorTests {
    private let first = Migration(
        name: "m0001_place", text: "create table place (id int); insert into place values (1);")
    private let second = Migration(name: "m0002_name", text: "alter table place add name text default 'x';")

    @Test("R24: migrations are applied once, in order, and recorded")
    func order() async throws {
        try await PostgresFixture.run { client, _ in
            let migrator = Migrator(migrations: [first, second])
            #expect(try await migrator.pending(client) == [first, second])
            #expect(try await migrator.dryRun(client, author: "test").contains("add name text"))
            #expect(try await migrator.apply(with: client, author: "test") == [first.name, second.name])
            #expect(try await migrator.apply(with: client, author: "test") == [])
            #expect(try await migrator.pending(client) == [])
            #expect(try await migrator.dryRun(client, author: "test") == "")
            #expect(try await client.one("select name from place")(0) == "x")
            let row = try await client.one(
                "select checksum, applied_by, applied_at <= now() from vitrine.migration where name = \(first.name)")
            #expect(try row(0) == first.checksum)
            #expect(try row(1) == "test")
            #expect(try row(2) == true)
            // The previous version has fewer migrations, and still runs.
            #expect(try await Migrator(migrations: [first]).apply(with: client, author: "old") == [])
        }
    }

    @Test("R24: a migration whose text has changed is rejected")
    func drift() async throws {
        try await PostgresFixture.run { client, _ in
            try await Migrator(migrations: [first]).apply(with: client, author: "test")
            let changed = Migration(name: first.name, text: first.text + " ")
            await #expect {
                try await Migrator(migrations: [changed]).apply(with: client, author: "test")
            } throws: {
                "\($0)".contains("m0001_place was applied with a different text")
            }
        }
    }

    @Test("R24: a failing migration leaves nothing behind, and earlier ones stay")
    func failure() async throws {
        try await PostgresFixture.run { client, _ in
            let bad = Migration(name: "m0002_bad", text: "create table left_over (); select 1/0;")
            await #expect {
                try await Migrator(migrations: [first, bad]).apply(with: client, author: "test")
            } throws: {
                "\($0)".contains("m0002_bad failed")
            }
            let isGone = try await client.one("select to_regclass('left_over') is null")(0) as Bool
            #expect(isGone)
            #expect(try await Migrator(migrations: [first, second]).pending(client) == [second])
            let ending = Migration(name: "m0003_ending", text: "create table a (); commit;")
            await #expect {
                try await Migrator(migrations: [first, ending]).apply(with: client, author: "test")
            } throws: {
                "\($0)".contains("contains COMMIT")
            }
        }
    }

    @Test("R24: a run that is killed midway can be repeated")
    func killed() async throws {
        try await PostgresFixture.run { client, _ in
            try await client.execute("create table gate (is_open bool)")
            try await client.execute("insert into gate values (false)")
            let wait = "do $$ begin if not (select is_open from gate) then perform pg_sleep(600); end if; end $$;"
            let transactional = Migration(name: "m0002", text: "create table half (); \(wait) create table whole ();")
            let stepwise = Migration(
                name: "m0003",
                text: """
                    \(Migration.noTransactionMark)
                    create table if not exists step (n int);
                    \(wait)
                    create index concurrently if not exists step_n on step (n);
                    """)
            #expect(transactional.transactional && !stepwise.transactional)
            for (migrations, leftOver) in [([first, transactional], 0), ([first, transactional, stepwise], 1)] {
                try await client.execute("update gate set is_open = false")
                let run = Task { try await Migrator(migrations: migrations).apply(with: client, author: "test") }
                let isKilled = await PostgresFixture.waits {
                    try await client.execute(
                        """
                        select pg_terminate_backend(pid) from pg_stat_activity
                        where wait_event = 'PgSleep' and datname = current_database()
                        """) == 1
                }
                #expect(isKilled)
                await #expect(throws: MigrationError.self) { try await run.value }
                let left = try await client.one(
                    "select count(*) from pg_class where relname = \(leftOver == 0 ? "half" : "step")")
                #expect(try left(0) == leftOver)
                try await client.execute("update gate set is_open = true")
                try await Migrator(migrations: migrations).apply(with: client, author: "test")
                #expect(try await Migrator(migrations: migrations).pending(client) == [])
            }
            #expect(
                try await client.one("select to_regclass('step_n') is not null and to_regclass('whole') is not null")(0)
            )
        }
    }

    @Test("R24: of several programs that migrate at once, exactly one does it")
    func together() async throws {
        try await PostgresFixture.run { client, _ in
            let applied = try await withThrowingTaskGroup(of: [String].self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        try await Migrator(migrations: [first, second]).apply(with: client, author: "test")
                    }
                }
                return try await group.reduce(into: [String]()) { $0 += $1 }
            }
            #expect(applied == [first.name, second.name])
        }
    }

    @Test("R24: a migration that cannot get its lock fails with a message and keeps nothing")
    func locked() async throws {
        try await PostgresFixture.run { client, _ in
            try await Migrator(migrations: [first]).apply(with: client, author: "test")
            let impatient = Migration(name: "m0002", text: "set local lock_timeout = '20ms'; \(second.text)")
            let mayEnd = Shared(false)
            let isHeld = Shared(false)
            let holder = Task {
                try await client.transaction { tx in
                    try await tx.execute("lock table place")
                    isHeld.withLock { $0 = true }
                    _ = await PostgresFixture.waits { mayEnd.withLock { $0 } }
                }
            }
            #expect(await PostgresFixture.waits { isHeld.withLock { $0 } })
            await #expect {
                try await Migrator(migrations: [first, impatient], lockTries: 2).apply(with: client, author: "test")
            } throws: {
                "\($0)".contains("could not get a lock")
            }
            let waiting = Task {
                try await Migrator(migrations: [first, impatient]).apply(with: client, author: "test")
            }
            let isWaiting = await PostgresFixture.waits {
                try await client.one(
                    "select exists (select from pg_locks where not granted and relation = 'place'::regclass)")(0)
            }
            #expect(isWaiting)
            mayEnd.withLock { $0 = true }
            try await holder.value
            #expect(try await waiting.value == ["m0002"])
        }
    }

    @Test("R24: a script runs again from its beginning until it gets its locks, and gives up with a message")
    func scriptLocked() async throws {
        try await PostgresFixture.run { client, _ in
            try await client.execute("create sequence tries")
            func run(failing times: Int, lockTries: Int) async throws {
                try await client.run(
                    script: """
                        begin;
                        create table made (number) as select nextval('tries');
                        do $$ begin
                            if currval('tries') <= \(times) then raise exception using errcode = '55P03'; end if;
                        end $$;
                        commit;
                        """, named: "functions", lockTries: lockTries)
            }
            await #expect {
                try await run(failing: 2, lockTries: 2)
            } throws: {
                "\($0)".contains("functions could not get a lock")
            }
            #expect(try await client.one("select to_regclass('made') is null")(0))
            try await run(failing: 3, lockTries: 2)
            #expect(try await client.one("select number = 4 from made")(0))
        }
    }
}
