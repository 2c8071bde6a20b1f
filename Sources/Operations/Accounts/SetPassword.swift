// Accepts an invitation or resets a password by a one-time link from a mail, and queues the reset mail (B21).
import Domain
import Localization
import Platform
import Store

package struct SetPassword: Sendable {
    package enum RequestResult: Sendable {
        /// Returned whether or not the account exists.
        case accepted
        case tooMany(retryAfterSeconds: Int)
    }

    /// Requests within this many minutes count against the limits.
    private static let window = 60
    /// Mails to one email address. Further requests get the same response without another mail, so that strangers can't
    /// keep the owner of an account from resetting its password.
    package static let perAccount = 3
    /// Requests from one network, which a whole office may share.
    package static let perIP = 20
    package static let taskKind = "password_reset"

    let database: Database
    let policy: SignInPolicy

    /// Requests a reset mail. Known and unknown email addresses are treated alike: the request is counted, and a task
    /// looks up the account later. So neither the response nor its time reveals whether an account exists (S10).
    package func request(email: String, remoteAddress: String) async throws -> RequestResult {
        let email = try EmailAddress.check(email)
        do {
            _ = try await database.attempts.count(
                AttemptLimit.networks(of: remoteAddress, "reset-from", most: Self.perIP), minutes: Self.window)
        } catch let error as TooManyAttempts {
            return .tooMany(retryAfterSeconds: error.retryAfterSeconds)
        }
        do {
            _ = try await database.attempts.count(
                [AttemptLimit("reset:\(email)", most: Self.perAccount)], minutes: Self.window)
        } catch is TooManyAttempts {
            return .accepted
        }
        let visitor = Actor(kind: .visitor, name: "visitor", remoteAddress: remoteAddress)
        try await database.transaction(by: visitor, AuditEvent("password_reset.request", on: "account")) {
            transaction in
            try await transaction.tasks.add(kind: Self.taskKind, payload: .object(["email": .string(email)]))
        }
        return .accepted
    }

    /// The task: queues the mail if the account exists and can sign in.
    package static func write(_ payload: JSONValue, _ transaction: AuditedTransaction) async throws {
        guard let email = payload["email"]?.stringValue,
            let account = try await transaction.accounts.find(email: email),
            !account.isDisabled
        else { return }
        try await transaction.audit(AuditEvent("password_reset.create", on: "account", account.id.description))
        try await transaction.mails.write(
            .passwordReset, to: account.recipient, link: .passwordReset, dedupe: "password_reset:\(UUIDv7.make())")
    }

    /// Accepts an invitation or sets a new password, by a link that works once. Ends all sessions of the account, opens a
    /// new one or asks for the second factor, and invalidates all its other links. Nil when the link is used, expired or
    /// unknown.
    package func set(
        _ token: Token, for purpose: LinkPurpose, name: String? = nil, password: String, remoteAddress: String,
        userAgent: String
    ) async throws -> SignInStep? {
        guard let account = try await database.accounts.findLink(tokenHash: token.hash, for: purpose) else {
            return nil
        }
        var errors = FieldErrors()
        let checked = errors.collect { () throws(Failure) in try AccountName.check(name ?? account.name) }
        for problem in PasswordRules.objections(to: password, email: account.email, name: checked ?? "") {
            errors.add("/password", "password", problem)
        }
        try errors.throwIfAny()
        let newName = checked ?? account.name
        let hash = try await Password.hash(password)
        let actor = Actor(
            kind: .account, id: account.id.uuid, name: newName, role: account.role, remoteAddress: remoteAddress)
        let action = purpose == .invitation ? "account.activate" : "password.update"
        return try await database.transaction(by: actor, AuditEvent(action, on: "account", account.id.description)) {
            transaction in
            // Another request may have used it since.
            guard let owner = try await transaction.accounts.useLink(tokenHash: token.hash, for: purpose),
                !owner.isDisabled
            else { throw Self.linkExpired }
            if newName != owner.name { try await transaction.accounts.setName(owner.id, newName) }
            try await transaction.accounts.setPassword(owner.id, hash: hash)
            try await transaction.sessions.removeAll(of: owner.id)
            try await transaction.mails.revokeLinks(of: owner.id)
            try await transaction.attempts.clear(SignInLimits.clearedByPassword(owner.email, from: remoteAddress))
            guard let updated = try await transaction.accounts.find(owner.id) else { throw Self.linkExpired }
            return try await SignIn.enter(updated, remoteAddress, userAgent, policy.sessionHours, transaction)
        }
    }

    package static var linkExpired: Failure {
        .refused(
            code: "link_used",
            message: tr("This link was already used, has expired, or was replaced. Request a new one."))
    }
}
