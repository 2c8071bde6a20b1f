// Lets API clients in: Basic credentials, looked up with the role that sees nothing else (A11, S42).
import Domain
import HTTP
import Platform
import Store
import Synchronization

/// A client is known for a few seconds after it was looked up, so that a request costs no query, no base64 and no hash.
/// The lookup of an unknown id is kept too: guessing costs the database one query per id and no more.
final class APIGate: Sendable {
    private struct Known {
        let client: ClientRow?
        let until: ContinuousClock.Instant
    }

    private struct Admitted {
        let caller: APICaller
        let until: ContinuousClock.Instant
    }

    private struct Memory {
        /// By the whole header: only right ones are in it.
        var admitted: [String: Admitted] = [:]
        var known: [ID<APIClient>: Known] = [:]
    }

    /// Beyond so many entries all are forgotten.
    private static let manyEntries = 5000
    private static let failuresPerMinute = 30

    private let clients: ClientStore
    private let trust: Duration
    private let memory = Mutex(Memory())
    private let failures = RateLimiter(perMinute: failuresPerMinute)

    init(clients: ClientStore, trust: Duration) {
        self.clients = clients
        self.trust = trust
    }

    /// The client that asks. Throws a `Problem`: 401 for credentials that are missing, malformed or wrong, 429 after
    /// many of them from one address. Right credentials come in whatever others at the same address do.
    func admit(_ request: Request) async throws -> APICaller {
        guard let header = request.headers["Authorization"] else {
            throw Problem.unauthorized("Credentials are needed: an API client's id and secret, by HTTP Basic.")
        }
        let now = ContinuousClock.now
        if let admitted = memory.withLock({ $0.admitted[header] }), admitted.until > now { return admitted.caller }
        do {
            return try await check(header, now)
        } catch let problem as Problem where problem.status == 401 {
            if let allowance = failures.take(request.remoteAddress), !allowance.isGranted {
                throw Problem.tooManyAttempts(retryAfter: allowance.seconds)
            }
            throw problem
        }
    }

    private func check(_ header: String, _ now: ContinuousClock.Instant) async throws -> APICaller {
        let credentials: BasicCredentials
        do throws(BasicCredentials.Malformed) {
            credentials = try BasicCredentials(header: header)
        } catch {
            throw Problem.unauthorized(error.rawValue)
        }
        let refusal = Problem.unauthorized("There is no API client with this id and secret.")
        guard let id = ID<APIClient>(credentials.name) else { throw refusal }
        let known = try await look(id, now)
        // Compared in any case, so that the time does not tell whether there is such a client.
        let hash = Token(text: credentials.password)?.hash ?? []
        let isRight = ConstantTime.equal(hash, known.client?.secretHash ?? [UInt8](repeating: 0, count: 32))
        guard isRight, let client = known.client, !client.isRevoked else { throw refusal }
        let caller = APICaller(id: client.id, name: client.name, scopes: ScopeSet(client.scopes))
        memory.withLock { memory in
            if memory.admitted.count >= Self.manyEntries { memory.admitted.removeAll() }
            memory.admitted[header] = Admitted(caller: caller, until: known.until)
        }
        return caller
    }

    /// The scopes of a client that is not revoked; nil where there is none.
    func scopes(of id: ID<APIClient>) async throws -> ScopeSet? {
        let client = try await look(id, .now).client
        return client.flatMap { $0.isRevoked ? nil : ScopeSet($0.scopes) }
    }

    private func look(_ id: ID<APIClient>, _ now: ContinuousClock.Instant) async throws -> Known {
        if let known = memory.withLock({ $0.known[id] }), known.until > now { return known }
        let known = Known(client: try await clients.find(id), until: now.advanced(by: trust))
        memory.withLock { memory in
            if memory.known.count >= Self.manyEntries { memory.known.removeAll() }
            memory.known[id] = known
        }
        return known
    }
}
