// Limits attempts to sign in, per account and per network. Each attempt is counted before it is checked, so that parallel
// ones can't exceed a limit, and forgiven when it succeeds.
import Domain
import Store

struct SignInLimits: Sendable {
    /// Failures within this many minutes count.
    private static let window = 15
    /// Strangers guess from their networks: an account is closed to all only after this many times its limit, so that the
    /// failures of one network, or of one site, don't lock out its owner.
    private static let networksPerAccount = 20

    let database: Database
    let policy: SignInPolicy

    /// Counts an attempt with a password, whether or not the email address has an account. Throws `TooManyAttempts`.
    func countPassword(_ email: String, from remoteAddress: String) async throws -> CountedAttempt {
        let most = policy.attemptsPerAccount
        return try await count(
            AttemptLimit.networks(of: remoteAddress, Self.account(email), most: most)
                + [AttemptLimit(Self.account(email), most: most * Self.networksPerAccount)],
            from: remoteAddress)
    }

    /// Counts an attempt with a code. Who tries codes knows the password already, so all networks count together.
    func countCode(_ account: ID<Account>, from remoteAddress: String) async throws -> CountedAttempt {
        try await count([AttemptLimit(Self.code(account), most: policy.attemptsPerAccount)], from: remoteAddress)
    }

    private func count(_ limits: [AttemptLimit], from remoteAddress: String) async throws -> CountedAttempt {
        try await database.attempts.count(
            limits + AttemptLimit.networks(of: remoteAddress, most: policy.attemptsPerIP), minutes: Self.window)
    }

    /// What a right password or a new one clears: the failures of the account from there and in all, not those of the network.
    static func clearedByPassword(_ email: String, from remoteAddress: String) -> [String] {
        AttemptLimit.networks(of: remoteAddress, account(email), most: 0).map(\.subject) + [account(email)]
    }

    static func clearedByCode(_ account: ID<Account>) -> [String] { [code(account)] }

    /// Whether attempts from this client failed before. What others of a wider network did does not matter.
    static func hasFailed(_ attempt: CountedAttempt, from remoteAddress: String) -> Bool {
        AttemptLimit.networks(of: remoteAddress, most: 0).first.map { attempt.failed.contains($0.subject) } ?? false
    }

    private static func account(_ email: String) -> String { "account:\(email)" }
    private static func code(_ account: ID<Account>) -> String { "code:\(account)" }
}
