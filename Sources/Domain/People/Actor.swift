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
    }

    package let kind: Kind
    /// The ID of the account or client.
    package let id: UUID?
    package let name: String
    package let role: Role?
    /// The content it can access.
    package let scope: AccessScope
    /// The ID of the HTTP request.
    package let requestID: String?
    /// The IP address of the request.
    package let remoteAddress: String?

    package init(
        kind: Kind, id: UUID? = nil, name: String, role: Role? = nil, scope: AccessScope = .all,
        requestID: String? = nil,
        remoteAddress: String? = nil
    ) {
        self.kind = kind
        self.id = id
        self.name = name
        self.role = role
        self.scope = scope
        self.requestID = requestID
        self.remoteAddress = remoteAddress
    }
}
