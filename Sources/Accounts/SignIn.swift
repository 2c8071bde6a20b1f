// Signs staff in with a password or a one-time link, and out.
import Domain
import Platform
import Store

/// A new session: the token goes into the cookie, and nowhere else.
package struct SignedIn: Sendable {
    package let token: Token
    package let account: ID<Account>
    package let name: String
}

/// What a password or a link leads to.
package enum Entered: Sendable {
    case signedIn(SignedIn)
    /// The second factor is asked for; the token is good for nothing else, and not for long.
    case needsCode(Token)

    /// Nil where a code comes first.
    package var session: SignedIn? {
        if case .signedIn(let session) = self { session } else { nil }
    }
}

package struct SignIn: Sendable {
    package enum Outcome: Sendable {
        case signedIn(SignedIn)
        case needsCode(Token)
        /// Email, password or code is wrong, or the account is disabled: one answer for all (S10).
        case wrong
        case tooMany(retryAfterSeconds: Int)
    }

    /// How long the code may take after the password.
    private static let codeMinutes = 5

    private let database: Database
    private let limits: SignInLimits
    private let sessionHours: Int

    package init(database: Database, attemptsPerAccount: Int, attemptsPerIP: Int, sessionHours: Int) {
        self.database = database
        limits = SignInLimits(database: database, perAccount: attemptsPerAccount, perIP: attemptsPerIP)
        self.sessionHours = sessionHours
    }

    package func callAsFunction(email: String, password: String, address: String, agent: String) async throws -> Outcome
    {
        let email = String(email.lowercased().prefix(254))
        let subject = SignInLimits.password(email)
        if let wait = try await limits.wait(subject, from: address) { return .tooMany(retryAfterSeconds: wait) }
        let account = try await database.accounts.find(email: email)
        let isRight: Bool
        if let hash = account?.passwordHash {
            isRight = try await Password.verify(password, against: hash)
        } else {
            isRight = try await Password.verifyAgainstNothing(password)
        }
        guard isRight, let account, !account.isDisabled else {
            try await limits.note(subject, from: address)
            return .wrong
        }
        let rehashed = Password.needsRehash(account.passwordHash ?? "") ? try await Password.hash(password) : nil
        let entered = try await database.change(
            by: Self.actor(account, address), Self.event(account, how: "password")
        ) { change in
            if let rehashed { try await change.accounts.setPassword(account.id, hash: rehashed) }
            try await change.accounts.forgetFailures(subject: subject)
            return try await Self.enter(account, address, agent, sessionHours, change)
        }
        return switch entered {
        case .signedIn(let session): .signedIn(session)
        case .needsCode(let token): .needsCode(token)
        }
    }

    /// Uses a one-time link: nil when it was used, is too old or never was.
    package func withLink(_ token: Token, address: String, agent: String) async throws -> Entered? {
        guard let owner = try await database.accounts.findLink(tokenHash: token.hash, for: .signIn) else { return nil }
        let system = Actor(kind: .system, name: "system", address: address)
        return try await database.change(by: system, Self.event(owner, how: "link")) { change in
            guard let account = try await change.accounts.useLink(tokenHash: token.hash, for: .signIn),
                !account.isDisabled
            else { return nil }
            return try await Self.enter(account, address, agent, sessionHours, change)
        }
    }

    /// The second step: the code of the app or a recovery code, with the token of the first. Nil when that is too old; then
    /// the password comes first again. Each code is taken once, whoever sends it twice at the same time.
    package func withCode(
        _ token: Token, _ code: String, _ factor: SecondFactor, address: String, agent: String
    ) async throws -> Outcome? {
        guard let account = try await database.accounts.findLink(tokenHash: token.hash, for: .secondFactor) else {
            return nil
        }
        let subject = SignInLimits.code(account.id)
        if let wait = try await limits.wait(subject, from: address) { return .tooMany(retryAfterSeconds: wait) }
        guard let integrity = try await factor.read(code, of: account.id) else {
            try await limits.note(subject, from: address)
            return .wrong
        }
        do {
            let event = AuditEvent("session.create", on: "session", detail: ["how": .string(integrity.word)])
            return try await database.change(by: Self.actor(account, address), event) { change in
                try await integrity.take(account.id, change)
                guard let owner = try await change.accounts.useLink(tokenHash: token.hash, for: .secondFactor),
                    !owner.isDisabled
                else { return nil }
                try await change.accounts.forgetFailures(subject: subject)
                return .signedIn(try await Self.add(owner, address, agent, sessionHours, change))
            }
        } catch is SecondFactor.Wrong {
            try await limits.note(subject, from: address)
            return .wrong
        }
    }

    /// Ends the session of a token.
    package func out(_ token: Token, by actor: Actor) async throws {
        try await database.change(by: actor, AuditEvent("session.delete", on: "session")) { change in
            try await change.sessions.remove(tokenHash: token.hash)
        }
    }

    // MARK: What every way in shares

    static func actor(_ account: AccountRow, _ address: String) -> Actor {
        Actor(kind: .account, id: account.id.uuid, name: account.name, role: account.role, address: address)
    }

    private static func event(_ account: AccountRow, how: String) -> AuditEvent {
        AuditEvent(
            account.hasSecondFactor ? "session.request" : "session.create", on: "session",
            detail: ["how": .string(how)])
    }

    /// Opens a session, or asks for the second factor where the account has one.
    static func enter(
        _ account: AccountRow, _ address: String, _ agent: String, _ hours: Int, _ change: Change
    ) async throws -> Entered {
        guard account.hasSecondFactor else {
            return .signedIn(try await add(account, address, agent, hours, change))
        }
        let token = Token.make()
        try await change.accounts.addLink(
            tokenHash: token.hash, account: account.id, for: .secondFactor, minutes: codeMinutes)
        return .needsCode(token)
    }

    static func add(
        _ account: AccountRow, _ address: String, _ agent: String, _ hours: Int, _ change: Change
    ) async throws -> SignedIn {
        let session = Token.make()
        try await change.sessions.add(
            tokenHash: session.hash, account: account.id, csrf: Token.make().text, address: address, agent: agent,
            hours: hours)
        return SignedIn(token: session, account: account.id, name: account.name)
    }
}
