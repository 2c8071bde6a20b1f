// Sets up, verifies and removes an account's second factor: an authenticator app with recovery codes (S48).
import Domain
import Localization
import Platform
import Store

package struct SecondFactor: Sendable {
    /// A code that is wrong or was already used.
    struct WrongCode: Error {}

    /// A code that is valid now and not yet marked as used.
    struct ValidCode: Sendable {
        fileprivate enum Kind: Sendable { case step(Int64), recovery([UInt8]) }

        fileprivate let kind: Kind

        /// For the audit trail.
        var method: String {
            switch kind {
            case .step: "code"
            case .recovery: "recovery_code"
            }
        }

        /// Marks the code as used; throws `WrongCode` when it already was.
        func use(_ account: ID<Account>, _ transaction: AuditedTransaction) async throws {
            let isUsed =
                switch kind {
                case .step(let step): try await transaction.secondFactors.use(account, step: step)
                case .recovery(let hash): try await transaction.secondFactors.use(account, codeHash: hash)
                }
            if !isUsed { throw WrongCode() }
        }
    }

    let database: Database
    let rules: SecondFactorRules
    let policy: SignInPolicy

    private var limits: SignInLimits { SignInLimits(database: database, policy: policy) }

    // MARK: Setup

    /// Creates a secret; the setup is complete when a first code confirms it.
    package func begin(_ account: AccountRow, password: String, by actor: Actor) async throws {
        try await VerifyPassword(limits: limits)(password, of: account, pointer: "/current", by: actor)
        guard let box = rules.box else { throw Self.noKey }
        let sealed = box.seal(OneTimeCode.make().secret)
        let event = AuditEvent("second_factor.create", on: "account", account.id.description)
        let isBegun = try await database.transaction(by: actor.signingIn, event) { transaction in
            try await transaction.secondFactors.enroll(account.id, sealedSecret: sealed)
        }
        if !isBegun { throw Self.alreadySetUp }
    }

    /// The secret and `otpauth` URL for the authenticator app, while the setup is unconfirmed.
    package func pendingSetup(_ account: AccountRow) async throws -> (secret: String, url: String)? {
        guard let row = try await database.secondFactors.find(account.id), row.confirmedAt == nil,
            let code = opened(row)
        else { return nil }
        return (code.text, code.url(issuer: rules.issuer, account: account.email))
    }

    /// Confirms the setup with a first code. Ends all sessions of the account, opens a new one, and returns the recovery
    /// codes, which are shown only this once.
    package func confirm(
        _ account: AccountRow, code: String, userAgent: String, by actor: Actor
    ) async throws -> (codes: [RecoveryCode], session: SignedIn) {
        let row = try await database.secondFactors.find(account.id)
        if row?.confirmedAt != nil { throw Self.alreadySetUp }
        let codes = Self.makeCodes()
        let session = try await verified(account, code, "second_factor.verify", by: actor) { transaction in
            try await transaction.secondFactors.setCodes(account.id, hashes: codes.map(\.hash))
            try await transaction.sessions.removeAll(of: account.id)
            return try await SignIn.addSession(
                account, actor.remoteAddress ?? "", userAgent, policy.sessionHours, transaction)
        }
        return (codes, session)
    }

    // MARK: Management

    /// Replaces the recovery codes.
    package func rotateRecoveryCodes(_ account: AccountRow, code: String, by actor: Actor) async throws
        -> [RecoveryCode]
    {
        let codes = Self.makeCodes()
        try await verified(account, code, "recovery_code.rotate", by: actor) { transaction in
            try await transaction.secondFactors.setCodes(account.id, hashes: codes.map(\.hash))
        }
        return codes
    }

    /// Removes the account's own second factor, unless its role requires one.
    package func remove(_ account: AccountRow, code: String, by actor: Actor) async throws {
        if rules.isRequired(of: account.role) {
            throw Failure.refused(
                code: "second_factor_required", message: tr("Your role requires a second factor."))
        }
        try await verified(account, code, "second_factor.delete", by: actor) { transaction in
            _ = try await transaction.secondFactors.remove(account.id)
        }
    }

    /// Lets an administrator or the operator remove the second factor of a person who lost the app and the recovery codes.
    /// The password alone signs in again, and every session of the account ends.
    package static func remove(from id: ID<Account>, _ database: Database, by actor: Actor) async throws {
        try actor.require(.administer, tr("manage accounts"))
        let event = AuditEvent("second_factor.delete", on: "account", id.description)
        try await database.transaction(by: actor.signingIn, event) { transaction in
            guard try await transaction.secondFactors.remove(id) else { throw Failure.missing(tr("second factor")) }
            try await transaction.sessions.removeAll(of: id)
        }
    }

    // MARK: Verification

    /// The code, if the account could use it now; nil otherwise.
    func read(_ text: String, of account: ID<Account>) async throws -> ValidCode? {
        guard let row = try await database.secondFactors.find(account) else { return nil }
        if let recovery = RecoveryCode(text: text) { return ValidCode(kind: .recovery(recovery.hash)) }
        let digits = text.filter { !$0.isWhitespace }
        guard let code = opened(row) else { throw Self.noKey }
        return code.step(of: digits, now: row.step).map { ValidCode(kind: .step($0)) }
    }

    /// Uses a code and runs `body` in the same transaction; a wrong code is counted and reported at its field.
    private func verified<Value: Sendable>(
        _ account: AccountRow, _ text: String, _ action: String, by actor: Actor,
        _ body: @Sendable @escaping (AuditedTransaction) async throws -> Value
    ) async throws -> Value {
        do {
            let attempt = try await limits.countCode(account.id, from: actor.remoteAddress ?? "")
            guard let valid = try await read(text, of: account.id) else { throw WrongCode() }
            let event = AuditEvent(
                action, on: "account", account.id.description, detail: ["method": .string(valid.method)])
            return try await database.transaction(by: actor.signingIn, event) { transaction in
                try await valid.use(account.id, transaction)
                try await transaction.attempts.forgive(
                    attempt, clearing: SignInLimits.clearedByCode(account.id))
                return try await body(transaction)
            }
        } catch let error as TooManyAttempts {
            throw error.failure
        } catch is WrongCode {
            throw Failure.invalid(FieldErrors("/code", "wrong", Self.wrongCode))
        }
    }

    package static var wrongCode: String {
        tr("This code is wrong or was already used. Enter the next code, and check the clock of your device.")
    }

    private func opened(_ row: SecondFactorRow) -> OneTimeCode? {
        rules.box?.open(row.sealedSecret).map { OneTimeCode(secret: $0) }
    }

    private static func makeCodes() -> [RecoveryCode] { (0..<RecoveryCode.count).map { _ in RecoveryCode.make() } }

    private static var alreadySetUp: Failure {
        .refused(code: "second_factor", message: tr("A second factor is already set up. Remove it first."))
    }

    private static var noKey: Failure {
        .refused(
            code: "key",
            message: tr(
                "Codes can't be checked: this server's key is missing or was replaced. Contact the operator. "
                    + "Recovery codes still work."))
    }
}
