// Authenticates API clients by Basic credentials, looked up with a database role that reads nothing else (A11, S42).
import Domain
import HTTP
import Platform
import Store
import Synchronization

/// A client is cached for a few seconds after its lookup, so that a request costs no query, base64 decoding or hash.
/// Lookups of unknown ids are cached too: guessing costs the database at most one query per id.
final class APIGate: Sendable {
    private struct Known {
        let client: ClientRow?
        let until: MonotonicClock.Instant
    }

    private struct Admitted {
        let caller: APICaller
        let until: MonotonicClock.Instant
    }

    /// A client and which of its secrets was used.
    private struct Use: Hashable {
        let client: ID<APIClient>
        let isOldSecret: Bool
    }

    private struct Memory {
        /// When a use was last recorded.
        var noted: [Use: MonotonicClock.Instant] = [:]
        /// By the whole header; contains valid credentials only.
        var admitted: [String: Admitted] = [:]
        var known: [ID<APIClient>: Known] = [:]
    }

    /// Beyond this many entries the cache is cleared.
    private static let manyEntries = 5000
    private static let failuresPerMinute = 30

    private let clients: ClientStore
    /// Records uses, because the authenticating role can't write; nil where nothing can be written.
    private let uses: ClientStore?
    private let trust: Duration
    private let memory = Mutex(Memory())
    private let clock: MonotonicClock
    private let failures: RateLimiter
    private let requests: RateLimiter

    init(clients: ClientStore, uses: ClientStore?, trust: Duration, clock: MonotonicClock) {
        self.clock = clock
        failures = RateLimiter(perMinute: Self.failuresPerMinute, clock: clock)
        requests = RateLimiter(perMinute: 0, clock: clock)
        self.clients = clients
        self.uses = uses
        self.trust = trust
    }

    /// The calling client. Throws a `Problem`: 401 for missing, malformed or wrong credentials, 429 after
    /// many of those from one IP address. Valid credentials pass even then.
    func admit(_ request: Request, isCounted: Bool = true) async throws -> APICaller {
        guard let header = request.headers["Authorization"] else {
            throw Problem.unauthorized("Send an API client's id and secret by HTTP Basic authentication.")
        }
        var caller = try await known(header, request)
        if isCounted, let perMinute = caller.perMinute {
            caller.allowance = requests.take(caller.id.description, perMinute: perMinute)
            if let allowance = caller.allowance, !allowance.isGranted { throw Problem.tooManyRequests(allowance) }
        }
        return caller
    }

    /// The client with this header, if it was authenticated recently.
    func remembered(_ header: String, _ now: MonotonicClock.Instant? = nil) -> APICaller? {
        let now = now ?? clock.now()
        return memory.withLock { $0.admitted[header] }.flatMap { $0.until > now ? $0.caller : nil }
    }

    private func known(_ header: String, _ request: Request) async throws -> APICaller {
        let now = clock.now()
        if let caller = remembered(header, now) { return caller }
        do {
            return try await check(header, now)
        } catch let problem as Problem where problem.status == 401 {
            if let allowance = failures.take(from: request.remoteAddress), !allowance.isGranted {
                throw Problem.tooManyAttempts(retryAfter: allowance.seconds)
            }
            throw problem
        }
    }

    private func check(_ header: String, _ now: MonotonicClock.Instant) async throws -> APICaller {
        let credentials: BasicCredentials
        do throws(BasicCredentials.Malformed) {
            credentials = try BasicCredentials(header: header)
        } catch {
            throw Problem.unauthorized(error.rawValue)
        }
        let refusal = Problem.unauthorized("No API client has this id and secret.")
        guard let id = ID<APIClient>(credentials.name) else { throw refusal }
        let known = try await look(id, now)
        // Always compared, so that the timing does not reveal whether the client exists.
        let secret = Token(text: credentials.password)
        let hash = secret?.hash ?? []
        let none = [UInt8](repeating: 0, count: 32)
        let isRight = ConstantTime.equal(hash, known.client?.secretHash ?? none)
        let isOld = ConstantTime.equal(hash, known.client?.oldSecretHash ?? none)
        guard isRight || isOld, let secret, let client = known.client, !client.isRevoked else { throw refusal }
        let caller = APICaller(
            id: client.id, name: client.name, scopes: ScopeSet(client.scopes), perMinute: client.perMinute,
            credential: Credential(secret.bytes))
        await recordUse(Use(client: client.id, isOldSecret: !isRight), now)
        memory.withLock { memory in
            if memory.admitted.count >= Self.manyEntries { memory.admitted.removeAll() }
            memory.admitted[header] = Admitted(caller: caller, until: known.until)
        }
        return caller
    }

    /// At most every few minutes; a failure to record never refuses the request.
    private func recordUse(_ use: Use, _ now: MonotonicClock.Instant) async {
        let isDue = memory.withLock { memory in
            if let last = memory.noted[use], now < last.advanced(by: .seconds(60 * ClientStore.useMinutes)) {
                return false
            }
            memory.noted[use] = now
            return true
        }
        if isDue { try? await uses?.recordUse(use.client, isOldSecret: use.isOldSecret) }
    }

    /// The scopes of an active client; nil if there is none.
    func scopes(of id: ID<APIClient>) async throws -> ScopeSet? {
        let client = try await look(id, clock.now()).client
        return client.flatMap { $0.isRevoked ? nil : ScopeSet($0.scopes) }
    }

    private func look(_ id: ID<APIClient>, _ now: MonotonicClock.Instant) async throws -> Known {
        if let known = memory.withLock({ $0.known[id] }), known.until > now { return known }
        let known = Known(client: try await clients.find(id), until: now.advanced(by: trust))
        memory.withLock { memory in
            if memory.known.count >= Self.manyEntries { memory.known.removeAll() }
            memory.known[id] = known
        }
        return known
    }
}
