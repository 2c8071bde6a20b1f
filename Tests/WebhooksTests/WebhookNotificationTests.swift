// Tests which deliveries a publication queues: in its transaction, and none without webhooks.
import Domain
import FoundationEssentials
import Operations
import Platform
import Postgres
import Store
import TestBasics
import TestSupport
import Testing

@Suite("Webhook deliveries of publications", .databases)
struct WebhookNotificationTests {
    @Test("S41: publishing, updating and unpublishing send small signed deliveries")
    func entries() async throws {
        try await HookWorld.with { world in
            let hook = try await world.add()
            let id = try await world.article("A walk")
            try await world.edit(id, ["title": "A long walk"])
            try await world.unpublish(id)
            try await world.posting { await until("three deliveries have arrived") { world.receiver.taken.count == 3 } }
            let taken = world.receiver.taken
            #expect(taken.map(\.type) == ["entry.published", "entry.updated", "entry.unpublished"])
            #expect(taken.allSatisfy { $0.isSigned(with: hook.secret) && $0.body.utf8.count < 20_000 })
            #expect(taken.compactMap { $0.data["publication"]?.integerValue } == [2, 3, 4])
            #expect(taken.compactMap { $0.data["revision"]?.integerValue } == [1, 2, 2])
            for delivery in taken {
                #expect(delivery.data["entry"]?.stringValue == id.description)
                #expect(delivery.data["type"]?.stringValue == "article" && delivery.data["kind"]?.stringValue == "item")
                #expect(delivery.data["slug"]?.stringValue == "a-walk")
                #expect(
                    Set(delivery.data.keys) == [
                        "publication", "publication_tag", "entry", "type", "kind", "slug", "revision",
                    ])
                #expect(delivery.json.objectValue?["timestamp"]?.stringValue?.hasSuffix("Z") == true)
                #expect(abs((Double(delivery.timestamp) ?? 0) - Date().timeIntervalSince1970) < 60)
            }
        }
    }

    @Test("A webhook gets only its events; without webhooks nothing is queued")
    func choice() async throws {
        try await HookWorld.with { world in
            _ = try await world.article("Before")
            #expect(try await world.test.client.one("select count(*) as n from ops.outbox_message")("n") == 0)
            let hook = try await world.add([.entryUnpublished])
            let id = try await world.article("After")
            try await world.unpublish(id)
            #expect(try await world.messages(hook.id).map(\.type) == [.entryUnpublished])
        }
    }

    @Test("S41: deliveries are rolled back with their publication")
    func transaction() async throws {
        try await HookWorld.with { world in
            let hook = try await world.add()
            let bad = try await world.test.write.create(
                type: "article", fields: try await world.unpublishable(), publishTiming: .approveOnly,
                by: TestDatabase.administrator)
            // No category: the read table refuses it, and its deliveries with it.
            let done = try await world.test.services.publishRelease.waiting(by: TestDatabase.administrator)
            #expect(done.publication == nil && done.blocked.map(\.entry) == [bad.entry])
            let newest = try await world.test.database.revisions.newest(of: bad.entry)
            let change = LiveChange(entry: bad.entry, revision: newest?.id)
            await #expect(throws: Failure.self) {
                _ = try await world.test.services.publishRelease.now(
                    [change], note: "bad", by: TestDatabase.administrator)
            }
            #expect(try await world.messages(hook.id).isEmpty)
        }
    }

    @Test("Plans and previews queue no deliveries")
    func previews() async throws {
        try await HookWorld.with { world in
            let hook = try await world.add()
            _ = try await world.article("Later", .at(WallTime(local: "2099-05-01T10:00", zone: "UTC")))
            _ = try await world.article("Waits", .approveOnly)
            let plan = try await world.test.services.publishRelease.plan()
            #expect(plan.plan.total > 0)
            let previews = world.test.services.managePreview
            let time = try WallTime(local: "2099-06-01T10:00", zone: "UTC")
            let link = try await previews.create(title: "June", at: time, days: 1, by: TestDatabase.administrator)
            #expect(try await previews.open(link.token) != nil)
            #expect(try await world.messages(hook.id).isEmpty)
        }
    }

    @Test("A release of many entries queues one delivery per entry and webhook")
    func many() async throws {
        try await HookWorld.with { world in
            let hooks = [try await world.add().id, try await world.add().id]
            for number in 1...40 { _ = try await world.article("Article \(number)", .approveOnly) }
            let (number, entries, _) = try await world.test.services.publishRelease.waiting(
                by: TestDatabase.administrator)
            #expect(entries == 40)
            for hook in hooks {
                let messages = try await world.messages(hook)
                #expect(messages.count == 40 && Set(messages.compactMap(\.entry)).count == 40)
                #expect(messages.allSatisfy { $0.publication == number && $0.state == .waiting })
            }
        }
    }

    @Test("R19: a failed scheduled release queues a delivery with its reason")
    func failedRelease() async throws {
        try await HookWorld.with { world in
            let hook = try await world.add()
            _ = try await world.test.write.create(
                type: "article", fields: try await world.unpublishable(),
                publishTiming: .at(WallTime(local: "2999-01-01T00:00", zone: "UTC")), by: TestDatabase.administrator)
            try await world.test.makeDue(1)
            _ = try await world.test.services.publishRelease.due()
            try await world.send(hook.id)
            let notified = try #require(world.receiver.taken.first)
            #expect(notified.type == "release.failed" && notified.isSigned(with: hook.secret))
            #expect(notified.data["release"]?.integerValue == 1)
            #expect(notified.data["reason"]?.stringValue?.contains("item_category") == true)
        }
    }

    @Test("Invariant 4: no webhook is created, changed or deleted without an audit event")
    func audit() async throws {
        try await HookWorld.with { world in
            let hook = try await world.add()
            for statement in [
                "update ops.webhook set url = 'https://evil.example/'", "delete from ops.webhook",
                "insert into ops.webhook (url, events, secret, created_by) select url, events, secret, created_by from ops.webhook",
            ] {
                await #expect(throws: PostgresError.self) {
                    try await world.test.client.execute("\(raw: statement)")
                }
            }
            try await world.manage.pause(hook.id, by: TestDatabase.administrator)
            try await world.manage.resume(hook.id, by: TestDatabase.administrator)
            _ = try await world.manage.rotate(hook.id, by: TestDatabase.administrator)
            let actions = try await world.test.database.auditTrail.about("webhook", hook.id.description).map(\.action)
            #expect(actions == ["webhook.rotate", "webhook.resume", "webhook.pause", "webhook.create"])
        }
    }

    @Test("Only administrators manage webhooks", arguments: [Role.curator, .editor, .publisher])
    func roles(role: Role) async throws {
        try await HookWorld.with { world in
            let hook = try await world.add()
            let actor = try await world.test.actor(role)
            await #expect(throws: Failure.self) { try await world.manage.delete(hook.id, by: actor) }
            await #expect(throws: Failure.self) { _ = try await world.manage.rotate(hook.id, by: actor) }
            await #expect(throws: Failure.self) {
                _ = try await world.manage.create(url: world.url, events: [.entryUpdated], note: "", by: actor)
            }
            #expect(try await world.test.database.webhooks.list().count == 1)
        }
    }

    @Test("S41: the database alone can't sign: it stores the secret sealed")
    func sealed() async throws {
        try await HookWorld.with { world in
            let hook = try await world.add()
            let key = try #require(Base64.decode(String(hook.secret.dropFirst(6))))
            #expect(hook.secret.hasPrefix("whsec_") && key.count == 32)
            let stored: String = try await world.test.client.one(
                "select encode(secret, 'hex') as text from ops.webhook")(
                    "text")
            #expect(!stored.contains(Hex.text(key)))
            #expect(SecretBox(key: [UInt8](repeating: 2, count: 32))?.open([UInt8](repeating: 0, count: 72)) == nil)
            // Another daemon's key opens nothing and says so.
            _ = try await world.manage.test(hook.id, by: TestDatabase.administrator)
            try await world.deliver(rules: WebhookRules(policy: world.rules.policy, key: HookWorld.key(9)))(
                .webhook(hook.id))
            let message = try #require(try await world.messages(hook.id).first)
            let attempt = try #require(try await world.test.database.webhookDeliveries.attempts(at: message.id).first)
            #expect(attempt.error?.contains("different key") == true && world.receiver.taken.isEmpty)
        }
    }
}
