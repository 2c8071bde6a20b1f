// Whether an actor may do an action (product.md, "Who may do what").

extension Actor {
    /// Accounts may what their role may; an API client that may review decides like a curator; the operator and the
    /// system may everything.
    package func may(_ action: Permission) -> Bool {
        switch kind {
        case .account: role?.may(action) ?? false
        case .client: Role.curator.may(action)
        case .system, .operator: true
        }
    }

    /// The same for something of a content type, where the groups of categories do not matter or are not known.
    package func may(_ action: Permission, on type: String) -> Bool { may(action) && scope.holds(type: type) }

    /// Throws `Failure.forbidden` unless the actor may do `action`; `what` completes "You may not …".
    package func require(_ action: Permission, _ what: String) throws(Failure) {
        if !may(action) { throw .forbidden("You may not \(what).") }
    }
}
