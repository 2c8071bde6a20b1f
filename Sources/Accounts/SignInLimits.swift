// Limits sign-in attempts: failures are counted in the database, per account and per IP address.
import Domain
import Store

struct SignInLimits: Sendable {
    /// Failures within this many minutes count.
    private static let window = 15

    let database: Database
    let policy: SignInPolicy

    /// The subject that failures of an email address count under, whether or not it has an account.
    static func password(_ email: String) -> String { "account:\(email)" }
    static func code(_ account: ID<Account>) -> String { "code:\(account)" }

    /// The seconds to wait; nil when another attempt is allowed.
    func wait(_ subject: String, from remoteAddress: String) async throws -> Int? {
        for (subject, limit) in [
            (subject, policy.attemptsPerAccount), ("address:\(remoteAddress)", policy.attemptsPerIP),
        ] {
            let count = try await database.accounts.failures(subject: subject, minutes: Self.window, limit: limit)
            if count >= limit { return Self.window * 60 }
        }
        return nil
    }

    func recordFailure(_ subject: String, from remoteAddress: String) async throws {
        try await database.accounts.recordFailure(subjects: [subject, "address:\(remoteAddress)"])
    }
}
