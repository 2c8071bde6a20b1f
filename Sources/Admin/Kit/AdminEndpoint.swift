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
    /// The submission or entry of this path parameter: the gate refuses one outside the scope.
    case submission(String)
    case entry(String)
    /// The operation refuses content outside the scope: which content a change concerns is in the form or the database.
    case operation
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
