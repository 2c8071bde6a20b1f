// Checks the permissions of an actor (product.md, "Who may do what").
import Localization

extension Actor {
    /// Accounts have the permissions of their role, API clients with the review scope those of a curator, and the
    /// operator
    /// and the system all.
    package func may(_ permission: Permission) -> Bool {
        switch kind {
        case .account: role?.may(permission) ?? false
        case .client: Role.curator.may(permission)
        case .system, .operator: true
        case .visitor, .form: false
        }
    }

    /// The same for content of a type, if its category groups do not matter or are unknown.
    package func may(_ permission: Permission, on type: String) -> Bool {
        may(permission) && scope.contains(type: type)
    }

    /// Throws `Failure.forbidden` unless the actor has the permission; `what` completes "You may not …".
    package func require(_ permission: Permission, _ what: String) throws(Failure) {
        if !may(permission) { throw .forbidden(tr("You may not \(what).")) }
    }
}
