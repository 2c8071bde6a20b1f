// The actor of an action, as recorded in audit events and database changes.
import FoundationEssentials

package struct Actor: Sendable, Hashable {
    package enum Kind: String, Sendable, CaseIterable, Codable {
        /// A staff account.
        case account
        /// An API client.
        case client
        /// The program itself: a schedule, a migration, an import.
        case system
        /// The operator at the command line.
        case `operator`
        /// Somebody without an account: a contributor, a visitor of a preview.
        case visitor
        /// A submission form, for the person who fills it in.
        case form
    }

    /// How the database recognizes the actor of an audit event. Each authority has its own database role (`Roles`), which
    /// can't record the events of another.
    package enum Authority: Sendable, Hashable, CaseIterable {
        /// The token of the request's session or the secret of its API client, or none for visitors.
        case request
        /// A password, code or link that the program has just checked.
        case signIn
        /// The program's own background work.
        case schedule
        /// The command line.
        case `operator`
    }

    package let kind: Kind
    /// The ID of the account, client or submission form.
    package let id: UUID?
    package let name: String
    package let role: Role?
    /// The content it can access.
    package let scope: AccessScope
    /// The ID of the HTTP request.
    package let requestID: String?
    /// The IP address of the request.
    package let remoteAddress: String?
    /// By which the database recognizes an account or a client; nil while it is signing in.
    package let credential: Credential?

    package init(
        kind: Kind, id: UUID? = nil, name: String, role: Role? = nil, scope: AccessScope = .all,
        requestID: String? = nil, remoteAddress: String? = nil, credential: Credential? = nil
    ) {
        self.kind = kind
        self.id = id
        self.name = name
        self.role = role
        self.scope = scope
        self.requestID = requestID
        self.remoteAddress = remoteAddress
        self.credential = credential
    }

    package var authority: Authority {
        switch kind {
        case .account, .client: credential == nil ? .signIn : .request
        case .visitor, .form: .request
        case .system: name == "import" ? .operator : .schedule
        case .operator: .operator
        }
    }

    /// The same account for what only a sign-in writes: passwords, second factors, sign-in links. The program has checked
    /// the account's session.
    package var signingIn: Actor {
        kind != .account
            ? self
            : Actor(
                kind: kind, id: id, name: name, role: role, scope: scope, requestID: requestID,
                remoteAddress: remoteAddress)
    }
}
