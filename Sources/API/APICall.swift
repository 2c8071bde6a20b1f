// A request on its way to the handler of its route, with who asks.
import Domain
import HTTP
import Store

/// A client that was let in.
struct APICaller: Sendable {
    let id: ID<APIClient>
    let name: String
    let scopes: ScopeSet
    /// How many requests a minute it may send; nil is any number.
    let perMinute: Int?
    /// What is left of that with this request.
    var allowance: RateLimiter.Allowance?

    /// Who does what this request does, for the audit trail.
    func actor(of request: Request) -> Actor {
        Actor(kind: .client, id: id.uuid, name: name, requestID: request.id, address: request.remoteAddress)
    }
}

struct APICall: Sendable {
    let site: APISite
    let request: Request
    /// Nil on routes that are open to everyone.
    let caller: APICaller?
    let parameters: PathParameters
    let query: QueryValues

    /// Where submissions are taken in and decided.
    func desk() throws -> APIServices {
        guard let desk = site.desk else { throw Problem.notFound }
        return desk
    }

    /// The caller of a route that is not open.
    func client() throws -> APICaller {
        guard let caller else { throw Problem.unauthorized("Credentials are needed here.") }
        return caller
    }

    /// A named part of the path.
    func path(_ name: String) -> String { parameters[name] ?? "" }
}

/// A request to the read tables.
struct ReadCall: Sendable {
    let call: APICall
    /// With the eyes that fit the caller and the route.
    let reads: ReadStores

    var query: QueryValues { call.query }
    var cursor: String? { call.query["cursor"] }

    /// The id or slug in the path.
    var address: IDOrSlug { IDOrSlug(call.path("address")) }

    /// The query as it came, to be kept in an address that this one has moved to.
    var suffix: String { PathText.query(of: call.request) }

    /// A content type named in the query; one that does not exist is refused.
    func type() throws -> String? {
        guard let name = query["type"] else { return nil }
        return try call.site.context.rules.type(named: name, pointer: "/query/type").name
    }

    func categories() -> [IDOrSlug] { query.addresses("category").map { IDOrSlug($0) } }
}
