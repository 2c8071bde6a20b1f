// The assignee of a submission: an account, or everyone with at least a role.

package enum Assignee: Sendable, Hashable {
    case account(ID<Account>)
    /// By its name.
    case role(String)

    package var account: ID<Account>? {
        if case .account(let id) = self { id } else { nil }
    }

    package var role: String? {
        if case .role(let name) = self { name } else { nil }
    }

    /// Reads `role:editor` or the ID of an account. Only the database knows whether the role exists.
    package init?(_ text: String) {
        if text.hasPrefix("role:") {
            let name = String(text.dropFirst(5))
            guard Role.isName(name) else { return nil }
            self = .role(name)
        } else {
            guard let id = ID<Account>(text) else { return nil }
            self = .account(id)
        }
    }

    package var text: String {
        switch self {
        case .account(let id): id.description
        case .role(let name): "role:\(name)"
        }
    }
}
