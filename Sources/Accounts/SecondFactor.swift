// The second factor of an account: set up with an authenticator app, proven by its codes, taken away (S48).
import Domain
import Platform
import Store

package struct SecondFactor: Sendable {
    /// A code that is not right, or was taken before.
    struct Wrong: Error {}

    /// What somebody has typed, as far as it can be told without taking it.
    struct Integrity: Sendable {
        fileprivate enum Kind: Sendable { case step(Int64), recovery([UInt8]) }

        fileprivate let kind: Kind

        /// For the audit trail.
        var word: String {
            switch kind {
            case .step: "code"
            case .recovery: "recovery_code"
            }
        }

        /// Takes it, once; throws `Wrong` when it was taken before.
        func take(_ account: ID<Account>, _ change: Change) async throws {
            let isClaimed =
                switch kind {
                case .step(let step): try await change.secondFactors.take(account, step: step)
                case .recovery(let hash): try await change.secondFactors.take(account, codeHash: hash)
                }
            if !isClaimed { throw Wrong() }
        }
    }

    private let database: Database
    private let rules: SecondFactorRules
    private let limits: SignInLimits

    package init(database: Database, rules: SecondFactorRules, attemptsPerAccount: Int, attemptsPerIP: Int) {
        self.database = database
        self.rules = rules
        limits = SignInLimits(database: database, perAccount: attemptsPerAccount, perIP: attemptsPerIP)
    }

    // MARK: Setting it up

    /// Makes a secret that a code has still to confirm.
    package func begin(_ account: AccountRow, password: String, by actor: Actor) async throws {
        try await VerifyPassword(limits: limits)(password, of: account, pointer: "/current", by: actor)
        guard let box = rules.box else { throw Self.noKey }
        let sealed = box.seal(OneTimeCode.make().secret)
        let event = AuditEvent("second_factor.create", on: "account", account.id.description)
        let isBegun = try await database.change(by: actor, event) { change in
            try await change.secondFactors.begin(account.id, sealedSecret: sealed)
        }
        if !isBegun { throw Self.isThere }
    }

    /// What the app needs, while it waits to be confirmed.
    package func waiting(_ account: AccountRow) async throws -> (secret: String, address: String)? {
        guard let row = try await database.secondFactors.find(account.id), row.confirmedAt == nil,
            let code = opened(row)
        else { return nil }
        return (code.text, code.address(issuer: rules.issuer, account: account.email))
    }

    /// Confirms it with a first code. All sessions of the account end and a new one begins; the recovery codes are told
    /// this once.
    package func confirm(
        _ account: AccountRow, code: String, agent: String, sessionHours: Int, by actor: Actor
    ) async throws -> (codes: [RecoveryCode], session: SignedIn) {
        let row = try await database.secondFactors.find(account.id)
        if row?.confirmedAt != nil { throw Self.isThere }
        let codes = Self.makeCodes()
        let session = try await verified(account, code, "second_factor.verify", by: actor) { change in
            try await change.secondFactors.setCodes(account.id, hashes: codes.map(\.hash))
            try await change.sessions.removeAll(of: account.id)
            return try await SignIn.add(account, actor.address ?? "", agent, sessionHours, change)
        }
        return (codes, session)
    }

    // MARK: Afterwards

    /// Gives new recovery codes; the old ones are good for nothing.
    package func renewCodes(_ account: AccountRow, code: String, by actor: Actor) async throws -> [RecoveryCode] {
        let codes = Self.makeCodes()
        try await verified(account, code, "recovery_code.rotate", by: actor) { change in
            try await change.secondFactors.setCodes(account.id, hashes: codes.map(\.hash))
        }
        return codes
    }

    /// Its owner goes without it again, where the role may.
    package func remove(_ account: AccountRow, code: String, by actor: Actor) async throws {
        if rules.roles.contains(account.role) {
            throw Failure.refused(
                code: "second_factor_required", message: "Your role needs a second factor, so it stays.")
        }
        try await verified(account, code, "second_factor.delete", by: actor) { change in
            _ = try await change.secondFactors.remove(account.id)
        }
    }

    /// An administrator or the operator lets somebody in who has lost app and recovery codes: the password alone counts
    /// again, and every session of the account ends.
    package static func remove(from id: ID<Account>, _ database: Database, by actor: Actor) async throws {
        try actor.require(.administer, "manage accounts")
        let event = AuditEvent("second_factor.delete", on: "account", id.description)
        try await database.change(by: actor, event) { change in
            guard try await change.secondFactors.remove(id) else { throw Failure.missing("second factor") }
            try await change.sessions.removeAll(of: id)
        }
    }

    // MARK: Proving

    /// What a code is, if it is one that the account could use now; nil otherwise.
    func read(_ text: String, of account: ID<Account>) async throws -> Integrity? {
        guard let row = try await database.secondFactors.find(account) else { return nil }
        if let recovery = RecoveryCode(text: text) { return Integrity(kind: .recovery(recovery.hash)) }
        let digits = text.filter { !$0.isWhitespace }
        guard let code = opened(row) else { throw Self.noKey }
        return code.step(of: digits, now: row.step).map { Integrity(kind: .step($0)) }
    }

    /// Takes a code and does something in the same transaction; wrong ones are counted and told at the field.
    private func verified<Value: Sendable>(
        _ account: AccountRow, _ text: String, _ action: String, by actor: Actor,
        _ body: @Sendable @escaping (Change) async throws -> Value
    ) async throws -> Value {
        let subject = SignInLimits.code(account.id)
        let address = actor.address ?? ""
        if let wait = try await limits.wait(subject, from: address) { throw VerifyPassword.tooMany(wait) }
        do {
            guard let integrity = try await read(text, of: account.id) else { throw Wrong() }
            let event = AuditEvent(action, on: "account", account.id.description, detail: ["by": .string(integrity.word)])
            return try await database.change(by: actor, event) { change in
                try await integrity.take(account.id, change)
                try await change.accounts.forgetFailures(subject: subject)
                return try await body(change)
            }
        } catch is Wrong {
            try await limits.note(subject, from: address)
            throw Failure.invalid(FieldErrors("/code", "wrong", Self.wrong))
        }
    }

    package static let wrong =
        "This code is not right, or was used before. Wait for the next one, and look whether the clock of the device is right."

    private func opened(_ row: SecondFactorRow) -> OneTimeCode? {
        rules.box?.open(row.sealedSecret).map { OneTimeCode(secret: $0) }
    }

    private static func makeCodes() -> [RecoveryCode] { (0..<RecoveryCode.many).map { _ in RecoveryCode.make() } }

    private static let isThere = Failure.refused(
        code: "second_factor", message: "A second factor is set up already. Take it away first.")
    private static let noKey = Failure.refused(
        code: "key",
        message: "Codes cannot be checked: the key of this daemon is missing or another one. Notify the operator; "
            + "recovery codes still work.")
}
