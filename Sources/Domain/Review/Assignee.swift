// The assignee of a submission: an account, or everyone with at least a role.

package enum Assignee: Sendable, Hashable {
    case account(ID<Account>)
    case role(Role)

    package var account: ID<Account>? {
        if case .account(let id) = self { id } else { nil }
    }

    package var role: Role? {
        if case .role(let role) = self { role } else { nil }
    }

    /// Reads `role:editor` or the ID of an account.
    package init?(_ text: String) {
        if text.hasPrefix("role:") {
            guard let role = Role(rawValue: String(text.dropFirst(5))) else { return nil }
            self = .role(role)
        } else {
            guard let id = ID<Account>(text) else { return nil }
            self = .account(id)
        }
    }

    package var text: String {
        switch self {
        case .account(let id): id.description
        case .role(let role): "role:\(role.rawValue)"
        }
    }
}
