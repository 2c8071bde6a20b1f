// Whether an actor may do an act (product.md, "Who may do what").

extension Actor {
    /// Accounts may what their role may; an API client that may review decides like a curator; the operator and the
    /// system may everything.
    package func may(_ act: Act) -> Bool {
        switch kind {
        case .account: role?.may(act) ?? false
        case .client: Role.curator.may(act)
        case .system, .operator: true
        }
    }

    /// The same for something of a content type, where the groups of categories do not matter or are not known.
    package func may(_ act: Act, on type: String) -> Bool { may(act) && scope.holds(type: type) }

    /// Throws `Failure.forbidden` unless the actor may do `act`; `what` completes "You may not …".
    package func require(_ act: Act, _ what: String) throws(Failure) {
        if !may(act) { throw .forbidden("You may not \(what).") }
    }
}
