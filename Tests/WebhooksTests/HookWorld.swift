// A database, a receiver, a webhook between them, and dispatchers.
import Domain
import Fetch
import FoundationEssentials
import Operations
import Platform
import Postgres
import Store
import Tasks
import TestBasics
import TestSupport
import Testing

struct HookWorld: World {
    let test: TestDatabase
    let receiver: Receiver
    let port: Int
    let rules: WebhookRules

    var manage: ManageWebhook { ManageWebhook(database: test.database, rules: rules) }
    var url: String { "http://127.0.0.1:\(port)/hook" }

    static func with(_ body: (HookWorld) async throws -> Void) async throws {
        let receiver = Receiver()
        let port = try receiver.start()
        let exception = try #require(FetchPolicy.Exception("127.0.0.1:\(port)"))
        let world = HookWorld(
            test: try await TestDatabase.make(), receiver: receiver, port: port,
            rules: WebhookRules(
                policy: FetchPolicy(allowsHTTP: true, ports: [port], exceptions: [exception]), key: key(1)))
        do {
            try await body(world)
            await receiver.stop()
        } catch {
            await receiver.stop()
            throw error
        }
    }

    static func key(_ byte: UInt8) -> SecretBoxKey {
        SecretBoxKey(given: Secret(Base64.encode([UInt8](repeating: byte, count: 32))), path: "/nowhere")
    }

    func add(_ events: [WebhookEvent] = WebhookEvent.subscribable, url: String? = nil) async throws -> (
        id: ID<Webhook>, secret: String
    ) {
        let made = try await manage.create(
            url: url ?? self.url, events: events, note: "", by: TestDatabase.administrator)
        return (made.id, made.secret.text)
    }

    // MARK: Posts

    func deliver(_ retries: RetrySchedule = .webhookDelivery, rules: WebhookRules? = nil) -> SendOutbox {
        let log = Logger(level: .error)
        let send = SendWebhookDelivery(
            database: test.database, rules: rules ?? self.rules,
            client: FetchClient(policy: (rules ?? self.rules).policy, threads: 4), retries: retries, log: log)
        return SendOutbox(database: test.database, mail: nil, webhooks: send, log: log)
    }

    /// Carries messages by so many posts at once for as long as `body` runs.
    func posting(
        _ count: Int = 1, _ retries: RetrySchedule = .webhookDelivery, _ body: () async throws -> Void
    ) async throws {
        let posts = (0..<count).map { _ in
            OutboxDispatcher(
                database: test.database, send: deliver(retries), log: Logger(level: .error), pollMilliseconds: 20,
                loop: test.loop)
        }
        for post in posts { post.start() }
        do {
            try await body()
        } catch {
            for post in posts { await post.stop() }
            throw error
        }
        for post in posts { await post.stop() }
    }

    /// Sends what can be sent to it now, at once.
    func send(_ id: ID<Webhook>, _ retries: RetrySchedule = .webhookDelivery) async throws {
        try await deliver(retries)(.webhook(id))
    }

    /// Lets the time pass until everything that is tried again may be sent; what is on its way stays claimed, unless a
    /// whole minute is to pass.
    func hurry(pastClaims: Bool = false) async throws {
        try await test.client.execute(
            """
            update ops.outbox_message m set next_at = clock_timestamp() where m.state = 'waiting' and (\(pastClaims)
                or m.attempts = (select count(*) from ops.webhook_attempt a where a.delivery_id = m.id))
            """)
        try await test.client.execute("update ops.webhook_backoff set not_before = '-infinity'")
    }

    func messages(_ id: ID<Webhook>) async throws -> [WebhookDeliveryRow] {
        try await test.database.webhookDeliveries.page(of: id, cursor: nil, limit: 1000).items.reversed()
    }

    // MARK: What is told

    /// The fields of an article that can be approved but not published, because its only category is a draft.
    func unpublishable() async throws -> [String: JSONValue] {
        let category = try await test.write.create(
            type: "category",
            fields: ["title": "Later", "group": .string(SeedEntry.topicGroup.description)],
            by: TestDatabase.administrator)
        return [
            "title": "Bad", "body": "<p>x</p>", "categories": .array([.string(category.entry.description)]),
        ]
    }
}

extension Receiver.Delivery {
    var json: JSONValue { (try? JSONValue(parsing: Array(body.utf8))) ?? .null }
    var type: String { json.objectValue?["type"]?.stringValue ?? "" }
    var data: [String: JSONValue] { json.objectValue?["data"]?.objectValue ?? [:] }
}
