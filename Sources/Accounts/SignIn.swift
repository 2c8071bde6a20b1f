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

    private let database: Database
    private let limits: SignInLimits
    private let policy: SignInPolicy

    package init(database: Database, policy: SignInPolicy) {
        self.database = database
        limits = SignInLimits(database: database, policy: policy)
        self.policy = policy
    }

    package func callAsFunction(
        email: String, password: String, remoteAddress: String, userAgent: String
    ) async throws -> Outcome {
        let email = String(email.lowercased().prefix(254))
        let subject = SignInLimits.password(email)
        if let wait = try await limits.wait(subject, from: remoteAddress) { return .tooMany(retryAfterSeconds: wait) }
        let account = try await database.accounts.find(email: email)
        let isRight: Bool
        if let hash = account?.passwordHash {
            isRight = try await Password.verify(password, against: hash)
        } else {
            isRight = try await Password.verifyAgainstNothing(password)
        }
        guard isRight, let account, !account.isDisabled else {
            try await limits.recordFailure(subject, from: remoteAddress)
            return .wrong
        }
        let rehashed = Password.needsRehash(account.passwordHash ?? "") ? try await Password.hash(password) : nil
        let step = try await database.transaction(
            by: Self.actor(account, remoteAddress), Self.event(account, method: "password")
        ) { transaction in
            if let rehashed { try await transaction.accounts.setPassword(account.id, hash: rehashed) }
            try await transaction.accounts.clearFailures(subject: subject)
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
        let system = Actor(kind: .system, name: "system", remoteAddress: remoteAddress)
        return try await database.transaction(by: system, Self.event(owner, method: "link")) { transaction in
            guard let account = try await transaction.accounts.useLink(tokenHash: token.hash, for: .signIn),
                !account.isDisabled
            else { return nil }
            return try await Self.enter(account, remoteAddress, userAgent, policy.sessionHours, transaction)
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
        let subject = SignInLimits.code(account.id)
        if let wait = try await limits.wait(subject, from: remoteAddress) { return .tooMany(retryAfterSeconds: wait) }
        guard let valid = try await factor.read(code, of: account.id) else {
            try await limits.recordFailure(subject, from: remoteAddress)
            return .wrong
        }
        do {
            let event = AuditEvent("session.create", on: "session", detail: ["method": .string(valid.method)])
            return try await database.transaction(by: Self.actor(account, remoteAddress), event) { transaction in
                try await valid.use(account.id, transaction)
                guard let owner = try await transaction.accounts.useLink(tokenHash: token.hash, for: .secondFactor),
                    !owner.isDisabled
                else { return nil }
                try await transaction.accounts.clearFailures(subject: subject)
                return .signedIn(
                    try await Self.addSession(owner, remoteAddress, userAgent, policy.sessionHours, transaction))
            }
        } catch is SecondFactor.WrongCode {
            try await limits.recordFailure(subject, from: remoteAddress)
            return .wrong
        }
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
