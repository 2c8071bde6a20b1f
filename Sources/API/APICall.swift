// A request on its way to the handler of its endpoint, with its caller.
import Domain
import HTTP
import Operations
import Store

/// An authenticated API client.
package struct APICaller: Sendable {
    let id: ID<APIClient>
    let name: String
    let scopes: ScopeSet
    /// Requests per minute; nil means no limit.
    let perMinute: Int?
    /// The secret that it sent.
    let credential: Credential
    /// What remains of that limit after this request.
    var allowance: RateLimiter.Allowance?

    /// The actor of this request, for the audit trail.
    package func actor(of request: Request) -> Actor {
        Actor(
            kind: .client, id: id.uuid, name: name, requestID: request.id, remoteAddress: request.remoteAddress,
            credential: credential)
    }
}

package struct APICall: Sendable {
    package let site: APISite
    package let request: Request
    /// Nil on open endpoints.
    let caller: APICaller?
    let parameters: PathParameters
    package let query: QueryValues

    /// The services that receive and decide submissions.
    package func services() throws -> Services {
        guard let services = site.services else { throw Problem.notFound }
        return services
    }

    /// The caller of an endpoint that is not open.
    package func client() throws -> APICaller {
        guard let caller else { throw Problem.unauthorized("Credentials are required.") }
        return caller
    }

    /// The value of a path parameter, in the form of stored text.
    package func path(_ name: String) -> String { NormalForm.composed(parameters[name] ?? "") }
}

/// A request to the read tables.
package struct ReadCall: Sendable {
    package let call: APICall
    /// The stores with the access scope of the caller and the endpoint.
    package let reads: ReadStores
    /// The cursor of the store; nil on the first page.
    package let cursor: String?

    init(call: APICall, reads: ReadStores) throws(Failure) {
        self.call = call
        self.reads = reads
        guard let text = call.query["cursor"] else {
            cursor = nil
            return
        }
        cursor = try BoundCursor(call.request, scope: reads.scope).cursor(from: text)
    }

    var binding: BoundCursor { BoundCursor(call.request, scope: reads.scope) }

    package var query: QueryValues { call.query }

    /// The id or slug in the path.
    package var idOrSlug: IDOrSlug { IDOrSlug(call.path("id_or_slug")) }

    /// The raw query, appended to the URL of a redirect.
    package var suffix: String { PathText.query(of: call.request) }

    /// A content type named in the query; throws for an unknown one.
    package func type() throws -> String? {
        guard let name = query["type"] else { return nil }
        return try call.site.context.rules.type(named: name, pointer: "/query/type").name
    }

    /// The same for a list of entries of one kind.
    func type(of kind: ContentType.Kind) throws -> String? {
        guard let name = try type() else { return nil }
        let types = call.site.context.rules.types.all.filter { $0.kind == kind }.map(\.name)
        guard types.contains(name) else {
            throw Failure.invalid(
                FieldErrors("/query/type", "choice", "Choose one of: \(types.joined(separator: ", "))."))
        }
        return name
    }

    /// The ids of a set, which is requested as a whole: with a filter or a page, "gone" could be wrong. Only parameters that
    /// leave nothing out may accompany it.
    package func setOfIDs(allowing companions: [String]) throws(Failure) -> [ID<Entry>]? {
        guard let ids = query.ids("ids") else { return nil }
        let others = Set(call.request.query.fields.map(\.name)).subtracting(companions + ["ids"])
        guard others.isEmpty else {
            let names = [companions.dropLast().joined(separator: ", "), companions.last ?? ""].filter { !$0.isEmpty }
            throw .invalid(
                FieldErrors(
                    "/query/ids", "alone", "ids can be combined with \(names.joined(separator: " and ")) only."))
        }
        return ids
    }

    package func categories() -> [IDOrSlug] { query.idsOrSlugs("category").map { IDOrSlug($0) } }
}
