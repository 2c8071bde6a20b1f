// Tests the limits of attempts: at the boundary, side by side, after success and after the window.
import Domain
import Store
import TestSupport
import Testing

@Suite("Attempts", .databases)
struct AttemptTests {
    @Test("S10: as many attempts as the limit are counted; the next one says how long to wait, and is not counted")
    func boundary() async throws {
        let test = try await TestDatabase.make()
        let limits = [AttemptLimit("account:ann", most: 3), AttemptLimit("address:one", most: 5)]
        for number in 1...3 {
            let attempt = try await test.database.attempts.count(limits, minutes: 15)
            #expect(attempt.failed.sorted() == (number == 1 ? [] : ["account:ann", "address:one"]))
        }
        do {
            _ = try await test.database.attempts.count(limits, minutes: 15)
            Issue.record("a fourth attempt was counted")
        } catch let error as TooManyAttempts {
            #expect((1...900).contains(error.retryAfterSeconds) && error.retryAfterSeconds > 840)
        }
        // The refused attempt left the other subject as it was: two more, not one.
        for _ in 1...2 { _ = try await test.database.attempts.count([limits[1]], minutes: 15) }
        await #expect(throws: TooManyAttempts.self) { try await test.database.attempts.count([limits[1]], minutes: 15) }
        // Attempts leave the window one by one.
        try await test.client.execute(
            """
            update ops.sign_in_failure set failed_at = failed_at - interval '15 minutes'
            where subject = 'account:ann' and failed_at = (
                select min(failed_at) from ops.sign_in_failure where subject = 'account:ann')
            """)
        _ = try await test.database.attempts.count([limits[0]], minutes: 15)
        await #expect(throws: TooManyAttempts.self) { try await test.database.attempts.count([limits[0]], minutes: 15) }
    }

    @Test("S10: of many attempts at the same time exactly as many are counted as the limit allows")
    func race() async throws {
        let test = try await TestDatabase.make()
        let counted = try await concurrently(1...40) { number in
            // Subjects in either order must not deadlock.
            let limits = [AttemptLimit("code:ann", most: 10), AttemptLimit("address:one", most: 100)]
            let ordered = number.isMultiple(of: 2) ? limits : limits.reversed()
            return (try? await test.database.attempts.count(ordered, minutes: 15)) != nil
        }
        #expect(counted.count { $0 } == 10)
    }

    @Test("S10: success forgets its own attempt everywhere, and what failed before where asked")
    func forgiven() async throws {
        let test = try await TestDatabase.make()
        let limits = [AttemptLimit("account:ann", most: 2), AttemptLimit("address:one", most: 2)]
        _ = try await test.database.attempts.count(limits, minutes: 15)
        let second = try await test.database.attempts.count(limits, minutes: 15)
        try await test.database.attempts.forgive(second, clearing: ["account:ann"])
        let left = try await test.client.query("select subject from ops.sign_in_failure").map {
            try $0("subject") as String
        }
        #expect(left == ["address:one"])
    }
}
