// An API with a database of its own, called without a socket.
import API
import Domain
import FoundationEssentials
import HTTP
import Operations
import Platform
import Store
import TestSupport

/// A response with its parsed body.
struct APIReply: Sendable {
    let response: Response

    var status: Int { response.status }

    var bytes: [UInt8] {
        if case .bytes(let bytes) = response.body { bytes } else { [] }
    }

    var json: JSONValue { (try? JSONValue(parsing: bytes)) ?? .null }
    var text: String { String(decoding: bytes, as: UTF8.self) }
    var code: String? { json["code"]?.stringValue }
    var next: String? { json["next"]?.stringValue }

    /// The objects of a list.
    var data: [JSONValue] { json["data"]?.arrayValue ?? [] }
    var titles: [String] { data.compactMap { $0["title"]?.stringValue } }
    var pointers: [String] {
        (json["errors"]?.arrayValue ?? []).compactMap { $0["pointer"]?.stringValue }
    }

    subscript(header: String) -> String? { response.headers[header] }
}

struct APIFixture: World {
    static let statusKey = SecretBox(key: [UInt8](repeating: 9, count: 32))?.linkKey("status")

    let test: TestDatabase
    let site: APISite
    let environment: String
    /// The clock of caches and limits.
    let clock: StoppedClock

    /// Clients are read again at each request unless `trust` says otherwise. `existing`: the database of another API.
    static func make(
        perMinute: Int = 0, reportsPerMinute: (client: Int, network: Int) = (0, 0), settings: [String: String] = [:],
        environment: String = "production",
        trust: Duration = .zero, quotas: Quotas? = nil,
        onlyDelivers: Bool = false, log: Logger = Logger(level: .error), packs: PackSet = TestDatabase.packs,
        on existing: TestDatabase? = nil,
        _ arrange: (inout DeliveryRules) -> Void = { _ in }
    ) async throws -> APIFixture {
        var test = existing
        if test == nil { test = try await TestDatabase.make() }
        guard let test else { throw Failure.missing("database") }
        let clock = StoppedClock()
        let reads = ReadDatabase(
            guest: test.guest, reader: test.reader, delivery: test.delivery, packs: packs, clock: clock.clock)
        var delivery = DeliveryRules()
        delivery.key = SecretBox(key: [UInt8](repeating: 9, count: 32))?.linkKey("syndication")
        arrange(&delivery)
        let services = try test.services(settings)
        let context = APIContext(
            services: onlyDelivers ? nil : services, reads: reads, rules: test.rules, log: log,
            publicURL: "https://vitrine.example.org/", environment: environment, submissionsPerMinute: perMinute,
            reportsPerMinute: reportsPerMinute,
            clientTrust: trust, library: test.library,
            statusKey: statusKey, delivery: delivery, quotas: quotas, clock: clock.clock)
        return APIFixture(test: test, site: APISite(context), environment: environment, clock: clock)
    }

    // MARK: Clients

    struct Client: Sendable {
        let id: ID<APIClient>
        let secret: String
        var header: String { "Basic " + Base64.encode(Array("\(id):\(secret)".utf8)) }
    }

    /// An API with the defaults, and a client of it.
    static func serving(_ scopes: [Scope], trust: Duration = .zero) async throws -> (APIFixture, Client) {
        let api = try await make(trust: trust)
        return (api, try await api.client(scopes))
    }

    func client(_ scopes: [Scope]) async throws -> Client {
        let id = ID<APIClient>(UUIDv7.make())
        let secret = Token.make()
        let event = AuditEvent("client.create", on: "client")
        try await test.database.transaction(by: TestDatabase.administrator, event) { transaction in
            try await transaction.clients.add(id: id, name: "portal", secretHash: secret.hash, scopes: scopes)
        }
        return Client(id: id, secret: secret.text)
    }

    func revoke(_ client: Client) async throws {
        try await test.database.transaction(by: TestDatabase.administrator, AuditEvent("client.revoke", on: "client")) {
            transaction in
            _ = try await transaction.clients.revoke(client.id)
        }
    }

    // MARK: Requests

    func request(
        _ method: String, _ target: String, as client: Client?, headers: [(String, String)] = [], body: Body = .none
    ) throws -> Request {
        let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
        var fields = Headers()
        if let client { fields.append("Authorization", client.header) }
        for (name, value) in headers { fields.append(name, value) }
        return Request(
            method: method, path: try PercentCoding.decode(parts[0].utf8, plusIsSpace: false), rawTarget: target,
            query: try FormFields(urlEncoded: parts.count > 1 ? parts[1] : ""), headers: fields, body: body,
            remoteAddress: "192.0.2.7", loop: test.loop, number: 42)
    }

    func send(
        _ method: String, _ target: String, as client: Client?, headers: [(String, String)] = [], body: Body = .none
    ) async throws -> APIReply {
        let request = try request(method, target, as: client, headers: headers, body: body)
        let reply = APIReply(response: await site.respond(request))
        ResponseCheck.check(reply, to: method, target)
        return reply
    }

    func get(_ target: String, as client: Client?, _ headers: [(String, String)] = []) async throws -> APIReply {
        try await send("GET", target, as: client, headers: headers)
    }

    func post(
        _ target: String, _ json: String, as client: Client?, _ headers: [(String, String)] = []
    ) async throws -> APIReply {
        try await send(
            "POST", target, as: client, headers: [("Content-Type", "application/json")] + headers,
            body: .bytes(Array(json.utf8)))
    }

    /// All titles of a list, page by page, and the number of pages.
    func walk(_ target: String, as client: Client) async throws -> (titles: [String], pages: Int) {
        var titles: [String] = []
        var pages = 0
        var next: String?
        repeat {
            let mark = target.contains("?") ? "&" : "?"
            let reply = try await get(next.map { "\(target)\(mark)cursor=\($0)" } ?? target, as: client)
            titles += reply.titles
            next = reply.next
            pages += 1
        } while next != nil && pages < 100
        return (titles, pages)
    }

    // MARK: Content

    func publishWaiting() async throws {
        _ = try await test.services.publishRelease.waiting(by: TestDatabase.administrator)
    }

    func category(_ title: String, group: ID<Entry>, position: Int64 = 0) async throws -> ID<Entry> {
        try await publish(
            "category", title, ["group": .string(group.description), "position": .int(position)],
            publishTiming: .approveOnly)
    }
}

func ids(_ entries: [ID<Entry>]) -> JSONValue {
    .array(entries.map { .string($0.description) })
}
