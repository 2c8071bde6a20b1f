// One endpoint of the admin: method, path, who may use it, how it respects access scopes, handler.
import Domain
import HTTP

/// Who may use an endpoint. Every endpoint has one.
package enum Access: Sendable {
    /// Everyone, signed in or not.
    case anyone
    /// Staff whose role has this permission.
    case may(Permission)
}

/// How an endpoint respects the access scope of restricted accounts. Every endpoint declares it.
package enum EndpointScope: Sendable {
    /// It shows and changes nothing that an access scope restricts.
    case none
    /// Only what belongs to the signed-in account.
    case own
    /// It shows only what is in the scope.
    case filtered
    /// The object of this path parameter: the gate refuses one with content outside the scope.
    case submission(String)
    case entry(String)
    case release(String)
    case bulkAction(String)
    case reportCase(String)
    case image(String)
    /// Content of this type: the gate refuses accounts whose scope excludes it.
    case type(String)
    /// The operation refuses content outside the scope: which content a change concerns is in the form or the database.
    case operation
    /// The gate refuses accounts with an access scope. Everything that administrators do is so.
    case unrestricted
}

package struct AdminEndpoint: Sendable {
    let method: String
    /// The path with its parameters in braces.
    let pattern: String
    let access: Access
    let scope: EndpointScope
    let flags: Set<Flag>
    let handler: Handler

    package enum Flag: Sendable {
        /// Requested by the page's script, not by the person: such requests don't extend the session.
        case quiet
        /// Available before the required second factor is set up.
        case beforeSecondFactor
        /// Its form may upload an image, which has its own size limit.
        case takesImage
        /// It may contain what was typed into another form, as JSON, which at most doubles its size.
        case takesDraft
        /// Its form creates something: sent twice, it is carried out once (`FormPosts`).
        case creates
        /// It leads to an image: pages load it.
        case image
        /// A public page in frames of other sites: it reads and sets no cookie, so no session applies on it and a forged
        /// request can do nothing that its sender can't do. Its handler adds the headers (`secured`).
        case cookieless
    }

    /// Whether an account may open it at all, whatever it concerns.
    func isOpen(to actor: Actor) -> Bool {
        if case .may(let permission) = access, !actor.may(permission) { return false }
        switch scope {
        case .unrestricted: return actor.scope.isAll
        case .type(let type): return actor.scope.contains(type: type)
        default: return true
        }
    }

    package typealias Handler = @Sendable (AdminRequest) async throws -> Response

    package static func get(
        _ url: some AdminPath, _ access: Access, _ scope: EndpointScope, flags: Set<Flag> = [],
        _ handler: @escaping Handler
    ) -> AdminEndpoint {
        AdminEndpoint(
            method: "GET", pattern: url.rawValue, access: access, scope: scope, flags: flags, handler: handler)
    }

    package static func post(
        _ url: some AdminPath, _ access: Access, _ scope: EndpointScope, flags: Set<Flag> = [],
        _ handler: @escaping Handler
    ) -> AdminEndpoint {
        AdminEndpoint(
            method: "POST", pattern: url.rawValue, access: access, scope: scope, flags: flags, handler: handler)
    }
}
