// Lets in who has a link from a mail: with a name and a password, once; and writes that mail to who forgot theirs (B21).
import Domain
import Platform
import Store

package struct SetPassword: Sendable {
    package enum Asked: Sendable {
        /// Whether there is such an account is not said.
        case taken
        case tooMany(retryAfterSeconds: Int)
    }

    /// Requests within this many minutes count against the limits.
    private static let window = 60
    /// Mails to one address.
    package static let perAccount = 3
    /// From one sender, who may ask for a whole office.
    package static let perIP = 20
    package static let taskKind = "password_reset"

    private let database: Database

    package init(database: Database) {
        self.database = database
    }

    /// Somebody forgot a password. The same is done for every address, known or not: to count, and to leave a job that
    /// looks whether there is somebody to write to. So neither the answer nor its time tells (S10).
    package func ask(email: String, address: String) async throws -> Asked {
        let email = try EmailAddress.check(email)
        let subjects = ["reset:\(email)", "reset-from:\(address)"]
        for (subject, limit) in zip(subjects, [Self.perAccount, Self.perIP]) {
            let count = try await database.accounts.failures(subject: subject, minutes: Self.window, limit: limit)
            if count >= limit { return .tooMany(retryAfterSeconds: Self.window * 60) }
        }
        let system = Actor(kind: .system, name: "system", address: address)
        try await database.change(by: system, AuditEvent("password_reset.request", on: "account")) { change in
            try await change.accounts.noteFailure(subjects: subjects)
            try await change.tasks.add(kind: Self.taskKind, payload: .object(["email": .string(email)]))
        }
        return .taken
    }

    /// The job: writes the mail, where there is an account that can sign in.
    package static func write(_ payload: JSONValue, _ change: Change) async throws {
        guard let email = payload["email"]?.stringValue, let account = try await change.accounts.find(email: email),
            !account.isDisabled
        else { return }
        try await change.audit(AuditEvent("password_reset.create", on: "account", account.id.description))
        try await change.mails.write(
            .passwordReset, to: account.recipient, link: .passwordReset, dedupe: "password_reset:\(UUIDv7.make())")
    }

    /// Accepts an invitation or sets a new password, by a link that works once. Ends all sessions of the account and opens
    /// a new one, or asks for the second factor; kills every other link that it has. Nil when the link was used, is too old or never was.
    package func set(
        _ token: Token, for purpose: LinkPurpose, name: String? = nil, password: String, address: String, agent: String,
        sessionHours: Int
    ) async throws -> Entered? {
        guard let account = try await database.accounts.findLink(tokenHash: token.hash, for: purpose) else {
            return nil
        }
        var errors = FieldErrors()
        let checked = errors.collect { () throws(Failure) in try AccountName.check(name ?? account.name) }
        for objection in PasswordRules.objections(to: password, email: account.email, name: checked ?? "") {
            errors.add("/password", "password", objection)
        }
        try errors.throwIfAny()
        let newName = checked ?? account.name
        let hash = try await Password.hash(password)
        let actor = Actor(
            kind: .account, id: account.id.uuid, name: newName, role: account.role, address: address)
        let action = purpose == .invitation ? "account.activate" : "password.update"
        return try await database.change(by: actor, AuditEvent(action, on: "account", account.id.description)) { change in
            // Somebody else may have used it since.
            guard let owner = try await change.accounts.useLink(tokenHash: token.hash, for: purpose), !owner.isDisabled
            else { throw Self.gone }
            if newName != owner.name { try await change.accounts.setName(owner.id, newName) }
            try await change.accounts.setPassword(owner.id, hash: hash)
            try await change.sessions.removeAll(of: owner.id)
            try await change.mails.withdrawLinks(of: owner.id)
            try await change.accounts.forgetFailures(subject: "account:\(owner.email)")
            guard let fresh = try await change.accounts.find(owner.id) else { throw Self.gone }
            return try await SignIn.enter(fresh, address, agent, sessionHours, change)
        }
    }

    package static let gone = Failure.refused(
        code: "link_used", message: "This link was used, is too old, or was replaced by a newer one. Ask for a new one."
    )
}
