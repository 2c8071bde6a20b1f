// Who does something: what an audit event and a change in the database name.
import FoundationEssentials

package struct Actor: Sendable, Hashable {
    package enum Kind: String, Sendable, CaseIterable, Codable {
        /// A person of the staff.
        case account
        /// An application with credentials of its own.
        case client
        /// The program itself: a schedule, a migration, an import.
        case system
        /// Who runs the program, at its command line.
        case `operator`
    }

    package let kind: Kind
    /// Of the account or the client.
    package let id: UUID?
    package let name: String
    package let role: Role?
    /// What of the content it works on.
    package let scope: AccessScope
    /// Of the HTTP request in which it was done.
    package let requestID: String?
    /// The network address from which it was done.
    package let address: String?

    package init(
        kind: Kind, id: UUID? = nil, name: String, role: Role? = nil, scope: AccessScope = .all, requestID: String? = nil,
        address: String? = nil
    ) {
        self.kind = kind
        self.id = id
        self.name = name
        self.role = role
        self.scope = scope
        self.requestID = requestID
        self.address = address
    }
}
