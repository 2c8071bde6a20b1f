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

package struct SignIn: Sendable {
    package enum Outcome: Sendable {
        case signedIn(SignedIn)
        /// E-mail or password is wrong, or the account is disabled: one answer for all (S10).
        case wrong
        case tooMany(retryAfterSeconds: Int)
    }

    /// Attempts that fail within this many minutes count against the limits.
    private static let window = 15

    private let database: Database
    private let attemptsPerAccount: Int
    private let attemptsPerAddress: Int
    private let sessionHours: Int

    package init(database: Database, attemptsPerAccount: Int, attemptsPerAddress: Int, sessionHours: Int) {
        self.database = database
        self.attemptsPerAccount = attemptsPerAccount
        self.attemptsPerAddress = attemptsPerAddress
        self.sessionHours = sessionHours
    }

    package func callAsFunction(email: String, password: String, address: String, agent: String) async throws -> Outcome
    {
        let email = String(email.lowercased().prefix(254))
        let subjects = ["account:\(email)", "address:\(address)"]
        let byAccount = try await database.accounts.failures(
            subject: subjects[0], minutes: Self.window, limit: attemptsPerAccount)
        let byAddress = try await database.accounts.failures(
            subject: subjects[1], minutes: Self.window, limit: attemptsPerAddress)
        if byAccount >= attemptsPerAccount || byAddress >= attemptsPerAddress {
            return .tooMany(retryAfterSeconds: Self.window * 60)
        }
        let account = try await database.accounts.find(email: email)
        let isRight: Bool
        if let hash = account?.passwordHash {
            isRight = try await Password.verify(password, against: hash)
        } else {
            isRight = try await Password.verifyAgainstNothing(password)
        }
        guard isRight, let account, !account.isDisabled else {
            try await database.accounts.noteFailure(subjects: subjects)
            return .wrong
        }
        let rehashed = Password.needsRehash(account.passwordHash ?? "") ? try await Password.hash(password) : nil
        let signedIn = try await open(account, how: "password", address: address, agent: agent) { change in
            if let rehashed { try await change.accounts.setPassword(account.id, hash: rehashed) }
            try await change.accounts.forgetFailures(subject: subjects[0])
        }
        return .signedIn(signedIn)
    }

    /// Uses a one-time link: nil when it was used, is too old or never was.
    package func withLink(_ token: Token, address: String, agent: String) async throws -> SignedIn? {
        guard try await database.accounts.findLink(tokenHash: token.hash, for: .signIn) != nil else { return nil }
        let session = Token.make()
        let system = Actor(kind: .system, name: "system", address: address)
        let event = AuditEvent("session.open", on: "session", detail: ["how": .string("link")])
        return try await database.change(by: system, event) { change in
            guard let account = try await change.accounts.useLink(tokenHash: token.hash, for: .signIn),
                !account.isDisabled
            else { return nil }
            return try await Self.add(session, account, address, agent, sessionHours, change)
        }
    }

    /// Ends the session of a token.
    package func out(_ token: Token, by actor: Actor) async throws {
        try await database.change(by: actor, AuditEvent("session.close", on: "session")) { change in
            try await change.sessions.remove(tokenHash: token.hash)
        }
    }

    private func open(
        _ account: AccountRow, how: String, address: String, agent: String,
        _ also: @Sendable @escaping (Change) async throws -> Void
    ) async throws -> SignedIn {
        let actor = Actor(
            kind: .account, id: account.id.uuid, name: account.name, role: account.role, address: address)
        let event = AuditEvent("session.open", on: "session", detail: ["how": .string(how)])
        let session = Token.make()
        return try await database.change(by: actor, event) { change in
            try await also(change)
            return try await Self.add(session, account, address, agent, sessionHours, change)
        }
    }

    static func add(
        _ session: Token, _ account: AccountRow, _ address: String, _ agent: String, _ hours: Int, _ change: Change
    ) async throws -> SignedIn {
        try await change.sessions.add(
            tokenHash: session.hash, account: account.id, csrf: Token.make().text, address: address, agent: agent,
            hours: hours)
        return SignedIn(token: session, account: account.id, name: account.name)
    }
}
