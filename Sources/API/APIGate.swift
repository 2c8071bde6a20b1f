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

    /// A client and which of its secrets: what a use is noted of.
    private struct Use: Hashable {
        let client: ID<APIClient>
        let isOldSecret: Bool
    }

    private struct Memory {
        /// When a use was last noted.
        var noted: [Use: ContinuousClock.Instant] = [:]
        /// By the whole header: only right ones are in it.
        var admitted: [String: Admitted] = [:]
        var known: [ID<APIClient>: Known] = [:]
    }

    /// Beyond so many entries all are forgotten.
    private static let manyEntries = 5000
    private static let failuresPerMinute = 30

    private let clients: ClientStore
    /// Where uses are noted, as the role that lets in may not write; nil where nothing can be written.
    private let uses: ClientStore?
    private let trust: Duration
    private let memory = Mutex(Memory())
    private let failures = RateLimiter(perMinute: failuresPerMinute)
    private let requests = RateLimiter(perMinute: 0)

    init(clients: ClientStore, uses: ClientStore?, trust: Duration) {
        self.clients = clients
        self.uses = uses
        self.trust = trust
    }

    /// The client that asks. Throws a `Problem`: 401 for credentials that are missing, malformed or wrong, 429 after
    /// many of them from one address. Right credentials come in whatever others at the same address do.
    func admit(_ request: Request, isCounted: Bool = true) async throws -> APICaller {
        guard let header = request.headers["Authorization"] else {
            throw Problem.unauthorized("Credentials are needed: an API client's id and secret, by HTTP Basic.")
        }
        var caller = try await known(header, request)
        if isCounted, let perMinute = caller.perMinute {
            caller.allowance = requests.take(caller.id.description, perMinute: perMinute)
            if let allowance = caller.allowance, !allowance.isGranted { throw Problem.tooManyRequests(allowance) }
        }
        return caller
    }

    /// The client with this header, if it was let in a moment ago.
    func remembered(_ header: String, _ now: ContinuousClock.Instant = .now) -> APICaller? {
        memory.withLock { $0.admitted[header] }.flatMap { $0.until > now ? $0.caller : nil }
    }

    private func known(_ header: String, _ request: Request) async throws -> APICaller {
        let now = ContinuousClock.now
        if let caller = remembered(header, now) { return caller }
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
        let none = [UInt8](repeating: 0, count: 32)
        let isRight = ConstantTime.equal(hash, known.client?.secretHash ?? none)
        let isOld = ConstantTime.equal(hash, known.client?.oldSecretHash ?? none)
        guard isRight || isOld, let client = known.client, !client.isRevoked else { throw refusal }
        let caller = APICaller(
            id: client.id, name: client.name, scopes: ScopeSet(client.scopes), perMinute: client.perMinute)
        await noteUse(Use(client: client.id, isOldSecret: !isRight), now)
        memory.withLock { memory in
            if memory.admitted.count >= Self.manyEntries { memory.admitted.removeAll() }
            memory.admitted[header] = Admitted(caller: caller, until: known.until)
        }
        return caller
    }

    /// Every few minutes and no oftener; a note that cannot be written now keeps nobody out.
    private func noteUse(_ use: Use, _ now: ContinuousClock.Instant) async {
        let isDue = memory.withLock { memory in
            if let last = memory.noted[use], now < last.advanced(by: .seconds(60 * ClientStore.useMinutes)) {
                return false
            }
            memory.noted[use] = now
            return true
        }
        if isDue { try? await uses?.noteUse(use.client, isOldSecret: use.isOldSecret) }
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
