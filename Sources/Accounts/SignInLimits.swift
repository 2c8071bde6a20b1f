// How often passwords and codes may be guessed: failures are counted per account and per sender, in the database.
import Domain
import Store

struct SignInLimits: Sendable {
    /// Failures within this many minutes count.
    private static let window = 15

    let database: Database
    let perAccount: Int
    let perIP: Int

    /// What failures of an email address count under, whether there is such an account or not.
    static func password(_ email: String) -> String { "account:\(email)" }
    static func code(_ account: ID<Account>) -> String { "code:\(account)" }

    /// The seconds to wait; nil where another attempt is free.
    func wait(_ subject: String, from address: String) async throws -> Int? {
        for (subject, limit) in [(subject, perAccount), ("address:\(address)", perIP)] {
            let count = try await database.accounts.failures(subject: subject, minutes: Self.window, limit: limit)
            if count >= limit { return Self.window * 60 }
        }
        return nil
    }

    func note(_ subject: String, from address: String) async throws {
        try await database.accounts.noteFailure(subjects: [subject, "address:\(address)"])
    }
}
