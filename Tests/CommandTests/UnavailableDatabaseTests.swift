// Tests that commands say why the database is unavailable, and what to do.
import CommandKit
import Domain
import Platform
import Postgres
import TestSupport
import Testing

@Suite("Unavailable databases", .databases)
struct UnavailableDatabaseTests {
    @Test(
        "Each cause has its advice; libpq's own is left out",
        arguments: [
            ("port 1 failed: Connection refused \tIs the server running?", "refused. Check DATABASE_URL and that"),
            ("failed: FATAL:  password authentication failed for user \"app\"", "the password in DATABASE_URL"),
            ("failed: fe_sendauth: no password supplied", "the password in DATABASE_URL"),
            ("failed: FATAL:  no pg_hba.conf entry for host \"1.1.1.1\", database \"x\"", "in pg_hba.conf"),
            ("failed: FATAL:  role \"app\" does not exist", "must exist and may log in"),
            ("failed: FATAL:  database \"vitrin\" does not exist", "name of the database"),
            ("failed: FATAL:  sorry, too many clients already", "max_connections"),
            ("failed: FATAL:  too many connections for role \"app\"", "max_connections"),
            ("failed: FATAL:  remaining connection slots are reserved for roles", "max_connections"),
            ("the last connections of PostgreSQL are reserved for commands", "max_connections"),
            ("failed: FATAL:  the database system is starting up", "Try again in a moment."),
            ("failed: FATAL:  permission denied for database \"vitrine\"", "Grant CONNECT"),
            ("failed: FATAL:  database \"vitrine\" is not currently accepting connections", "Allow connections"),
            ("failed: FATAL:  role \"app\" is not permitted to log in", "may log in"),
            ("failed: FATAL:  no such database: vitrin", "name of the database"),
            ("failed: FATAL:  no such user: app", "the pooler must know it"),
            ("failed: FATAL:  SASL authentication failed", "the password in DATABASE_URL"),
            ("failed: FATAL:  no more connections allowed (max_client_conn)", "pool size of the pooler"),
            ("FATAL:  query_wait_timeout", "pool size of the pooler"),
            ("server login has been failing, try again later (server_login_retry)", "the pooler's log"),
            ("the server must support SSL: server does not support SSL, but SSL was required", "sslmode"),
            ("expected authentication request from server, but received H", "another program listens"),
            ("received invalid response to SSL negotiation: H", "sslmode"),
            ("PostgreSQL did not accept a connection in time", "no firewall drops"),
            ("connection to server at \"10.0.0.1\", port 5432 failed: No route to host", "Check the host"),
            ("on socket \"/nowhere/.s.PGSQL.5432\" failed: No such file or directory", "the host and the port"),
            ("invalid sslmode value: \"requir\"", "Correct DATABASE_URL"),
            ("failed: SSL error: certificate verify failed", "their dates and issuers"),
            ("root certificate file \"/x/root.crt\" does not exist", "sslrootcert"),
            ("failed: FATAL:  could not write init file: No space left on device", "Free space"),
            ("invalid port number: \"99999\"", "Check the port"),
            ("could not translate host name \"db\" to address: Name or service not known", "Check the host"),
        ])
    func advice(message: String, expected: String) {
        let sentence = DatabaseAdvice.sentence(for: PostgresError(kind: .unavailable, message: message))
        #expect(sentence.contains(expected) && !sentence.contains("Is the server"), "\(sentence)")
    }

    @Test("A statement that PostgreSQL can't run now has the advice of its code")
    func codes() {
        for (code, expected) in [("25006", "primary"), ("53100", "Free space"), ("55P03", "lock")] {
            let error = PostgresError(kind: .server, sqlState: code, message: "no.")
            #expect(DatabaseAdvice.sentence(for: error).contains(expected))
        }
        let late = PostgresError(kind: .deadline, message: "late")
        #expect(DatabaseAdvice.sentence(for: late).hasSuffix("late. Try again when PostgreSQL has less to do."))
    }

    @Test(
        "A command ends with the cause and what to do",
        arguments: [
            (["entry", "list"], ExitCode.temporary), (["publish", "verify"], .temporary), (["migrate"], .temporary),
            (["doctor"], .failure),
        ])
    func commands(arguments: [String], code: ExitCode) async throws {
        let world = try await CommandWorld.make()
        let urls = [
            ("postgresql://nobody@127.0.0.1:1/vitrine", "refused", "that PostgreSQL is running"),
            (world.test.url.replacing(#/@\/[^?]+/#, with: "@/nowhere"), "does not exist", "create the database"),
        ]
        for (url, cause, advice) in urls {
            let variables = world.environment.merging(
                ["DATABASE_URL": url, "VITRINE_PACKS": "none", "VITRINE_DATABASE_POOL_WAIT_MS": "2000"]
            ) { $1 }
            let run = try await CommandLineRun(arguments, environment: variables)
            let output = run.output + run.error
            #expect(run.code == code && output.contains(cause) && output.contains(advice), "\(arguments): \(output)")
        }
    }

    @Test(
        "A malformed URL is named without any part of it, which may be the password",
        arguments: [
            "postgresql://app:xy%zzy@db/vitrine", "postgress://app:xyzzy@db/vitrine",
            "postgresql://app:xyzzy@db/vitrine?sslmod=1", "postgres:/app:xyzzy@db/vitrine?sslmode=require", "xyzzy",
            "host=db password='xyzzy",
        ])
    func malformedURL(url: String) async throws {
        let world = try await CommandWorld.make()
        for arguments in [["entry", "list"], ["doctor"]] {
            let variables = world.environment.merging([
                "DATABASE_URL": url, "VITRINE_PACKS": "none", "VITRINE_DATABASE_POOL_WAIT_MS": "500",
            ]) { $1 }
            let run = try await CommandLineRun(arguments, environment: variables)
            let output = run.output + run.error
            #expect(output.contains("is malformed") && output.contains("%40 for @"), "\(arguments): \(output)")
            #expect(!output.contains("zzy"), "\(output)")
        }
    }

    @Test("A database that is not migrated, or a login without a right, is named with what to do")
    func unusable() async throws {
        let world = try await CommandWorld.make()
        let login = "login_\(world.unique())"
        try await world.test.client.execute("create role \(raw: login) login")
        let other = world.test.url.replacing(#/@\/[^?]+/#, with: "@/postgres")
        let asLogin = world.test.url.replacing("postgres@", with: "\(login)@")
        let runs: [(arguments: [String], url: String, prefix: String, code: ExitCode, expected: String)] = [
            (["entry", "list"], other, "vitrine", .conflict, "run \"vitrine migrate\""),
            (["publish", "verify"], other, "vitrine", .conflict, "Check the name of the database"),
            (["entry", "list"], world.test.url, login, .conflict, "does not exist"),
            (["migrate"], asLogin, "vitrine", .permission, "that may do this"),
        ]
        for (arguments, url, prefix, code, expected) in runs {
            let variables = world.environment.merging([
                "DATABASE_URL": url, "VITRINE_PACKS": "none", "VITRINE_DATABASE_POOL_WAIT_MS": "2000",
                "VITRINE_DATABASE_ROLE_PREFIX": prefix,
            ]) { $1 }
            let run = try await CommandLineRun(arguments, environment: variables)
            #expect(run.code == code && run.error.contains(expected), "\(arguments): \(run.error)")
            #expect(!run.error.contains("42P01") && !run.error.contains("3F000"), "\(run.error)")
        }
        try await world.test.client.execute("drop role \(raw: login)")
    }

    @Test("doctor reports a login without grants and goes on with the other checks")
    func missingGrants() async throws {
        let world = try await CommandWorld.make()
        let login = "login_\(world.unique())"
        try await world.test.client.execute("create role \(raw: login) login")
        let url = world.test.url.replacing("postgres@", with: "\(login)@")
        let variables = world.environment.merging(["DATABASE_URL": url, "VITRINE_PACKS": "none"]) { $1 }
        let run = try await CommandLineRun(["doctor"], environment: variables)
        #expect(run.code == .failure && run.output.contains("FAIL  roles: the login of DATABASE_URL"), "\(run.output)")
        #expect(run.output.contains("  durability: ") && run.output.contains("  second factor: "), "\(run.output)")
        try await world.test.client.execute("drop role \(raw: login)")
    }

    @Test("S46: doctor reports whether the logins for signing in and background work may use their roles")
    func ownLogins() async throws {
        let world = try await CommandWorld.make()
        let login = "login_\(world.unique())"
        try await world.test.client.execute("create role \(raw: login) login in role vitrine_sign_in")
        let url = world.test.url.replacing("postgres@", with: "\(login)@")
        let variables = world.environment.merging([
            "DATABASE_URL": world.test.url, "VITRINE_DATABASE_SIGN_IN_URL": url,
            "VITRINE_DATABASE_SCHEDULE_URL": url, "VITRINE_PACKS": "none",
        ]) { $1 }
        let run = try await CommandLineRun(["doctor"], environment: variables)
        #expect(
            run.output.contains("ok    database.sign_in_url: the login may use vitrine_sign_in"), "\(run.output)")
        #expect(
            run.code == .failure
                && run.output.contains("FAIL  database.schedule_url: the login may not use vitrine_schedule;"),
            "\(run.output)")
        try await world.test.client.execute("drop role \(raw: login)")
    }
}
