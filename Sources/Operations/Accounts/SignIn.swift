// Signs staff in with a password or a one-time link, and signs them out.
import Domain
import Platform
import Store

/// A new session. The token goes into the cookie only.
package struct SignedIn: Sendable {
    package let token: Token
    package let account: ID<Account>
    package let name: String
}

/// The step after a correct password or a link.
package enum SignInStep: Sendable {
    case signedIn(SignedIn)
    /// The second factor is required; the short-lived token only allows sending its code.
    case needsCode(Token)

    /// Nil when a code is required first.
    package var session: SignedIn? {
        if case .signedIn(let session) = self { session } else { nil }
    }
}

package struct SignIn: Sendable {
    package enum Outcome: Sendable {
        case signedIn(SignedIn)
        case needsCode(Token)
        /// Wrong email, password or code, or a disabled account: one response for all (S10).
        case wrong
        case tooMany(retryAfterSeconds: Int)
    }

    /// Minutes to enter the code after the password.
    private static let codeMinutes = 5

    let database: Database
    let policy: SignInPolicy

    private var limits: SignInLimits { SignInLimits(database: database, policy: policy) }

    package func callAsFunction(
        email: String, password: String, remoteAddress: String, userAgent: String
    ) async throws -> Outcome {
        let email = String(EmailAddress.stored(email).prefix(254))
        let attempt: CountedAttempt
        do {
            attempt = try await limits.countPassword(email, from: remoteAddress)
        } catch let error as TooManyAttempts {
            return .tooMany(retryAfterSeconds: error.retryAfterSeconds)
        }
        let account = try await database.accounts.find(email: email)
        let hasFailed = SignInLimits.hasFailed(attempt, from: remoteAddress)
        let isRight: Bool
        if let hash = account?.passwordHash {
            isRight = try await Password.verify(password, against: hash, hasFailed: hasFailed)
        } else {
            isRight = try await Password.verifyAgainstNothing(password, hasFailed: hasFailed)
        }
        guard isRight, let account, !account.isDisabled else { return .wrong }
        let rehashed = Password.needsRehash(account.passwordHash ?? "") ? try await Password.hash(password) : nil
        let step = try await database.transaction(
            by: Self.actor(account, remoteAddress), Self.event(account, method: "password")
        ) { transaction in
            if let rehashed { try await transaction.accounts.setPassword(account.id, hash: rehashed) }
            try await transaction.attempts.forgive(
                attempt, clearing: SignInLimits.clearedByPassword(email, from: remoteAddress))
            return try await Self.enter(account, remoteAddress, userAgent, policy.sessionHours, transaction)
        }
        return switch step {
        case .signedIn(let session): .signedIn(session)
        case .needsCode(let token): .needsCode(token)
        }
    }

    /// Uses a one-time link: nil when it is used, expired or unknown.
    package func withLink(_ token: Token, remoteAddress: String, userAgent: String) async throws -> SignInStep? {
        guard let owner = try await database.accounts.findLink(tokenHash: token.hash, for: .signIn) else { return nil }
        return try await orNilIfUsed {
            try await database.transaction(by: Self.actor(owner, remoteAddress), Self.event(owner, method: "link")) {
                transaction in
                let account = try await Self.use(token, for: .signIn, transaction)
                return try await Self.enter(account, remoteAddress, userAgent, policy.sessionHours, transaction)
            }
        }
    }

    /// The second step: an authenticator or recovery code, with the token of the first step. Nil when the token has
    /// expired and the password is required again. Each code works once, even when sent twice at the same time.
    package func withCode(
        _ token: Token, _ code: String, _ factor: SecondFactor, remoteAddress: String, userAgent: String
    ) async throws -> Outcome? {
        guard let account = try await database.accounts.findLink(tokenHash: token.hash, for: .secondFactor) else {
            return nil
        }
        do {
            let attempt = try await limits.countCode(account.id, from: remoteAddress)
            guard let valid = try await factor.read(code, of: account.id) else { return .wrong }
            let event = AuditEvent("session.create", on: "session", detail: ["method": .string(valid.method)])
            return try await orNilIfUsed {
                try await database.transaction(by: Self.actor(account, remoteAddress), event) { transaction in
                    let owner = try await Self.use(token, for: .secondFactor, transaction)
                    try await valid.use(account.id, transaction)
                    try await transaction.attempts.forgive(
                        attempt, clearing: SignInLimits.clearedByCode(account.id))
                    return .signedIn(
                        try await Self.addSession(owner, remoteAddress, userAgent, policy.sessionHours, transaction))
                }
            }
        } catch let error as TooManyAttempts {
            return .tooMany(retryAfterSeconds: error.retryAfterSeconds)
        } catch is SecondFactor.WrongCode {
            return .wrong
        }
    }

    /// Another request used the link first, or it expired meanwhile.
    private struct LinkUsed: Error {}

    /// Throws instead of returning nil, so that the transaction is rolled back: nothing happened.
    private static func use(
        _ token: Token, for purpose: LinkPurpose, _ transaction: AuditedTransaction
    ) async throws -> AccountRow {
        guard let account = try await transaction.accounts.useLink(tokenHash: token.hash, for: purpose),
            !account.isDisabled
        else { throw LinkUsed() }
        return account
    }

    private func orNilIfUsed<Value>(_ body: () async throws -> Value) async throws -> Value? {
        do { return try await body() } catch is LinkUsed { return nil }
    }

    /// Ends the session of a token.
    package func signOut(_ token: Token, by actor: Actor) async throws {
        try await database.transaction(by: actor, AuditEvent("session.delete", on: "session")) { transaction in
            try await transaction.sessions.remove(tokenHash: token.hash)
        }
    }

    // MARK: Shared steps

    static func actor(_ account: AccountRow, _ remoteAddress: String) -> Actor {
        Actor(kind: .account, id: account.id.uuid, name: account.name, role: account.role, remoteAddress: remoteAddress)
    }

    private static func event(_ account: AccountRow, method: String) -> AuditEvent {
        AuditEvent(
            account.hasSecondFactor ? "session.request" : "session.create", on: "session",
            detail: ["method": .string(method)])
    }

    /// Opens a session, or asks for the second factor if the account has one.
    static func enter(
        _ account: AccountRow, _ remoteAddress: String, _ userAgent: String, _ hours: Int,
        _ transaction: AuditedTransaction
    ) async throws -> SignInStep {
        guard account.hasSecondFactor else {
            return .signedIn(try await addSession(account, remoteAddress, userAgent, hours, transaction))
        }
        let token = Token.make()
        try await transaction.accounts.addLink(
            tokenHash: token.hash, account: account.id, for: .secondFactor, minutes: codeMinutes)
        return .needsCode(token)
    }

    static func addSession(
        _ account: AccountRow, _ remoteAddress: String, _ userAgent: String, _ hours: Int,
        _ transaction: AuditedTransaction
    ) async throws -> SignedIn {
        let session = Token.make()
        try await transaction.sessions.add(
            tokenHash: session.hash, account: account.id, csrf: Token.make().text, remoteAddress: remoteAddress,
            userAgent: userAgent,
            hours: hours)
        return SignedIn(token: session, account: account.id, name: account.name)
    }
}
