// Second factors: the sealed secret of an authenticator app, and recovery codes as hashes.
import Domain
import FoundationEssentials
import Postgres

package struct SecondFactorRow: Sendable {
    package let sealedSecret: [UInt8]
    /// Nil until a code has confirmed it; until then sign-in does not require it.
    package let confirmedAt: Date?
    /// The current step of 30 seconds, by the database clock.
    package let step: Int64
    /// Unused recovery codes.
    package let codesLeft: Int

    init(row: Row) throws {
        sealedSecret = try row.bytes("sealed_secret")
        confirmedAt = try row("confirmed_at")
        step = try row("step")
        codesLeft = try row("codes_left")
    }
}

package struct SecondFactorStore: Sendable {
    let connection: StoreConnection

    package func find(_ account: ID<Account>) async throws -> SecondFactorRow? {
        try await connection.first(
            """
            select sealed_secret, confirmed_at, floor(extract(epoch from clock_timestamp()) / 30)::bigint as step,
                (select count(*) from ops.recovery_code c where c.account_id = f.account_id and c.used_at is null)
                    as codes_left
            from ops.second_factor f where account_id = \(account)
            """, SecondFactorRow.init)
    }

    /// Saves a secret that a code has yet to confirm, replacing an unconfirmed one; false when one is confirmed.
    package func enroll(_ account: ID<Account>, sealedSecret: [UInt8]) async throws -> Bool {
        try await connection.run(
            """
            insert into ops.second_factor (account_id, sealed_secret) values (\(account), \(sealedSecret))
            on conflict (account_id) do update set sealed_secret = excluded.sealed_secret, created_at = excluded.created_at
            where second_factor.confirmed_at is null
            """) > 0
    }

    /// Uses the code of a step, which also confirms the secret; false when that step or a later one was used before.
    package func use(_ account: ID<Account>, step: Int64) async throws -> Bool {
        try await connection.run(
            """
            update ops.second_factor set last_step = \(step), confirmed_at = coalesce(confirmed_at, clock_timestamp())
            where account_id = \(account) and last_step < \(step)
            """) > 0
    }

    /// Uses a recovery code; false when it is unknown or was used.
    package func use(_ account: ID<Account>, codeHash: [UInt8]) async throws -> Bool {
        try await connection.run(
            """
            update ops.recovery_code set used_at = clock_timestamp()
            where account_id = \(account) and code_hash = \(codeHash) and used_at is null
            """) > 0
    }

    /// Replaces all recovery codes.
    package func setCodes(_ account: ID<Account>, hashes: [[UInt8]]) async throws {
        try await connection.run("delete from ops.recovery_code where account_id = \(account)")
        try await connection.run(
            """
            insert into ops.recovery_code (account_id, code_hash)
            select \(account)::uuid, substr(\(hashes.flatMap { $0 })::bytea, 32 * n + 1, 32)
            from generate_series(0, \(hashes.count - 1)::integer) n
            """)
    }

    /// The secrets of all enabled accounts; teams are small.
    package func sealedSecrets() async throws -> [[UInt8]] {
        try await connection.rows(
            """
            select f.sealed_secret from ops.second_factor f join ops.account a on a.id = f.account_id
            where f.confirmed_at is not null and a.disabled_at is null limit 1000
            """
        ) { try $0.bytes("sealed_secret") }
    }

    /// False when there was none.
    package func remove(_ account: ID<Account>) async throws -> Bool {
        try await connection.run("delete from ops.second_factor where account_id = \(account)") > 0
    }
}
