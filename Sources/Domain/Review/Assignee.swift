// Whose a submission is to decide: one person's, or everybody's who has at least a role.

package enum Assignee: Sendable, Hashable {
    case account(ID<Account>)
    case role(Role)

    package var account: ID<Account>? {
        if case .account(let id) = self { id } else { nil }
    }

    package var role: Role? {
        if case .role(let role) = self { role } else { nil }
    }

    /// `role:editor`, or the id of an account.
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
