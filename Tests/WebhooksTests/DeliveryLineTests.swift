// Tests webhook deliveries: retries, order per entry, and exactly-once claims on any number of daemons.
import Domain
import Fetch
import FoundationEssentials
import HTTP
import Operations
import Postgres
import Store
import Synchronization
import TestBasics
import TestSupport
import Testing

@Suite("Delivery to webhooks", .databases)
struct DeliveryLineTests {
    private static let quick = RetrySchedule(seconds: [0, 0, 0, 0, 0, 0, 0, 0, 0])

    @Test(
        "R20, S41: a failed delivery is retried with the same id and a new signature, and every attempt is logged"
    )
    func retry() async throws {
        try await HookWorld.with { world in
            let hook = try await world.add()
            world.receiver.answer { _ in Response.text("broken\0\u{FFFD} for now", status: 500) }
            _ = try await world.article("A walk")
            for _ in 0..<2 {
                try await world.hurry()
                try await world.send(hook.id)
            }
            world.receiver.answer { _ in Response.text("thanks") }
            try await world.hurry()
            try await world.send(hook.id)
            let all = world.receiver.refused + world.receiver.taken
            #expect(all.count == 3 && Set(all.map(\.id)).count == 1 && Set(all.map(\.body)).count == 1)
            #expect(all.allSatisfy { $0.isSigned(with: hook.secret) })
            let message = try #require(try await world.messages(hook.id).first)
            #expect(message.state == .delivered && message.attempts == 3 && message.id.description == all[0].id)
            let log = try await world.test.database.webhookDeliveries.attempts(at: message.id)
            #expect(log.map(\.status) == [200, 500, 500] && log.map(\.isDelivered) == [true, false, false])
            #expect(log[1].response.hasPrefix("broken") && log[1].response.hasSuffix("for now"))
        }
    }

    @Test(
        "B63: on a test deployment nothing is sent but to the addresses that the configuration names; the log says why")
    func testDeployment() async throws {
        try await HookWorld.with { world in
            let hook = try await world.add()
            _ = try await world.article("A walk")
            func deliver(_ onlyTo: Set<String>) async throws {
                let rules = WebhookRules(policy: world.rules.policy, key: HookWorld.key(1), onlyTo: onlyTo)
                try await world.hurry()
                try await world.deliver(rules: rules)(.webhook(hook.id))
            }
            try await deliver([])
            try await deliver(["127.0.0.2"])
            let message = try #require(try await world.messages(hook.id).first)
            #expect(message.state == .waiting && world.receiver.taken.isEmpty && world.receiver.refused.isEmpty)
            let log = try await world.test.database.webhookDeliveries.attempts(at: message.id)
            #expect(log.first?.error?.hasPrefix("Not sent: this is a test deployment") == true)
            try await deliver(["127.0.0.1:\(world.port)"])
            #expect(world.receiver.taken.count == 1)
        }
    }

    @Test("R20: a receiver that was down gets every delivery once, in order for each entry")
    func outage() async throws {
        try await HookWorld.with { world in
            _ = try await world.add()
            let calls = Mutex(0)
            // Down at first, then every third answer is still an error.
            world.receiver.answer { _ in
                let call = calls.withLock { calls in
                    calls += 1
                    return calls
                }
                return call <= 12 || call % 3 == 0 ? .status(503) : .text("thanks")
            }
            var entries: [ID<Entry>] = []
            for number in 1...5 { entries.append(try await world.article("Article \(number)")) }
            for round in 1...4 {
                for entry in entries { try await world.edit(entry, ["title": .string("Round \(round)")]) }
            }
            try await world.posting(2, Self.quick) {
                try await until("all deliveries have arrived") {
                    try await world.hurry()
                    return world.receiver.taken.count >= 25
                }
            }
            let taken = world.receiver.taken
            #expect(taken.count == 25 && Set(taken.map(\.id)).count == 25)
            for entry in entries {
                let revisions = taken.filter { $0.data["entry"]?.stringValue == entry.description }
                    .compactMap { $0.data["revision"]?.integerValue }
                #expect(revisions == [1, 2, 3, 4, 5])
            }
        }
    }

    @Test("R20: two daemons share the deliveries and send none twice")
    func twoDaemons() async throws {
        try await HookWorld.with { world in
            let hook = try await world.add()
            for number in 1...40 { _ = try await world.article("Article \(number)") }
            try await world.posting(3) {
                try await until("all deliveries are made") {
                    try await world.messages(hook.id).allSatisfy { $0.state == .delivered }
                }
            }
            #expect(world.receiver.taken.count == 40 && Set(world.receiver.taken.map(\.id)).count == 40)
            #expect(try await world.messages(hook.id).allSatisfy { $0.attempts == 1 })
        }
    }

    @Test("R6: a delivery whose daemon died is sent again a minute later")
    func deadDaemon() async throws {
        try await HookWorld.with { world in
            let hook = try await world.add()
            _ = try await world.article("A walk")
            let claimed = try await world.test.database.outbox.claim(.webhook(hook.id), limit: 4).messages
            #expect(claimed.count == 1 && claimed[0].attempts == 1)
            // Nobody else gets it meanwhile.
            #expect(try await world.test.database.outbox.claim(.webhook(hook.id), limit: 4).messages.isEmpty)
            #expect(try await world.test.database.outbox.due().isEmpty)
            let wait: Double = try await world.test.client.one(
                "select extract(epoch from next_at - clock_timestamp())::float8 as s from ops.outbox_message")("s")
            #expect(wait > 50 && wait <= 60)
            try await world.hurry(pastClaims: true)
            try await world.send(hook.id)
            #expect(world.receiver.taken.count == 1)
        }
    }

    @Test("A delivery fails after its last attempt, and only then the next one of its entry is sent")
    func givenUp() async throws {
        try await HookWorld.with { world in
            let hook = try await world.add()
            world.receiver.answer { $0.type == "entry.published" ? .status(400) : .text("thanks") }
            let id = try await world.article("A walk")
            try await world.edit(id, ["title": "A long walk"])
            let twice = RetrySchedule(seconds: [0])
            try await world.send(hook.id, twice)
            #expect(try await world.messages(hook.id).map(\.state) == [.waiting, .waiting])
            try await world.hurry()
            try await world.send(hook.id, twice)
            try await world.hurry()
            try await world.send(hook.id, twice)
            let messages = try await world.messages(hook.id)
            #expect(messages.map(\.state) == [.failed, .delivered] && messages.map(\.attempts) == [2, 1])
        }
    }

    @Test("A delivery that waits for an earlier one is delayed with it, and follows as soon as that is delivered")
    func blocked() async throws {
        try await HookWorld.with { world in
            let hook = try await world.add()
            world.receiver.answer { _ in .status(500) }
            let id = try await world.article("A walk")
            for number in 1...60 { try await world.edit(id, ["title": .string("Walk \(number)")]) }
            let hourly = RetrySchedule(seconds: [3600])
            try await world.send(hook.id, hourly)
            try await world.test.client.execute("update ops.webhook_backoff set not_before = '-infinity'")
            // The first is due in an hour; the others are delayed for a second at least, and then to its time.
            try await until("the deliveries wait for their turn") {
                try await world.send(hook.id, hourly)
                return try await world.messages(hook.id).allSatisfy { $0.nextAt > Date() }
            }
            #expect(world.receiver.refused.count == 1)
            world.receiver.answer { _ in .text("thanks") }
            try await world.test.client.execute(
                "update ops.outbox_message set next_at = clock_timestamp() where attempts > 0")
            for _ in 0..<3 { try await world.send(hook.id) }
            #expect(world.receiver.taken.compactMap { $0.data["revision"]?.integerValue } == Array(1...61))
        }
    }

    @Test(
        "Retries come after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h, with up to a tenth of jitter, and then end")
    func schedule() {
        let retries = RetrySchedule.webhookDelivery
        #expect(
            (1...9).map { retries.delay(after: $0, chance: 0) } == [
                5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400,
            ])
        #expect(retries.delay(after: 1, chance: 1) == 5.5)
        #expect(retries.delay(after: 0, chance: 0) == nil && retries.delay(after: 10, chance: 0) == nil)
    }

    @Test("A webhook that asks to wait gets no delivery before", arguments: [429, 503])
    func retryAfter(status: Int) async throws {
        try await HookWorld.with { world in
            let hook = try await world.add()
            world.receiver.answer { _ in Response.status(status).with("Retry-After", "1800") }
            _ = try await world.article("One")
            try await world.send(hook.id)
            _ = try await world.article("Two")
            try await world.send(hook.id)
            #expect(world.receiver.refused.count == 1)
            let held = try #require(try await world.test.database.webhooks.find(hook.id)?.backoffUntil)
            #expect(held.timeIntervalSinceNow > 1700)
            #expect(try await world.messages(hook.id)[0].nextAt.timeIntervalSinceNow > 1700)
            #expect(try await world.test.database.outbox.due().isEmpty)
        }
    }

    @Test("A redirect is a failure and isn't followed")
    func redirect() async throws {
        try await HookWorld.with { world in
            let hook = try await world.add()
            world.receiver.answer { _ in Response.redirect(307, to: "/elsewhere") }
            _ = try await world.article("One")
            try await world.send(hook.id)
            #expect(world.receiver.refused.count == 1)
            #expect(try await world.messages(hook.id)[0].state == .waiting)
        }
    }

    @Test("410 disables a webhook with the reason; it gets no deliveries until it is resumed and replayed")
    func gone() async throws {
        try await HookWorld.with { world in
            let hook = try await world.add()
            world.receiver.answer { _ in .status(410) }
            _ = try await world.article("One")
            try await world.send(hook.id)
            let disabled = try #require(try await world.test.database.webhooks.find(hook.id))
            #expect(disabled.state == .disabled && disabled.reason?.contains("410") == true && disabled.missedFrom == 3)
            _ = try await world.article("Two")
            #expect(try await world.messages(hook.id).map(\.state) == [.failed])
            await #expect(throws: Failure.self) {
                _ = try await world.manage.test(hook.id, by: TestDatabase.administrator)
            }
            world.receiver.answer { _ in .text("thanks") }
            try await world.manage.resume(hook.id, by: TestDatabase.administrator)
            let count = try await world.manage.replay(from: 3, of: hook.id, by: TestDatabase.administrator)
            try await world.send(hook.id)
            #expect(count == 1 && world.receiver.taken.map { $0.data["publication"]?.integerValue } == [3])
            #expect(try await world.test.database.webhooks.find(hook.id)?.missedFrom == nil)
        }
    }

    @Test(
        "A webhook without a successful delivery for five days is disabled; a day less, or one success, keeps it active"
    )
    func failing() async throws {
        try await HookWorld.with { world in
            let hook = try await world.add()
            func fail() async throws -> WebhookState? {
                world.receiver.answer { _ in .status(500) }
                _ = try await world.manage.test(hook.id, by: TestDatabase.administrator)
                try await world.hurry()
                try await world.send(hook.id, RetrySchedule(seconds: []))
                return try await world.test.database.webhooks.find(hook.id)?.state
            }
            func pass(_ time: String) async throws {
                try await world.test.client.execute(
                    "update ops.webhook_attempt set started_at = started_at - interval '\(raw: time)'")
                try await world.test.writeUnchecked(
                    "update ops.webhook set active_since = active_since - interval '\(raw: time)'")
            }
            #expect(try await fail() == .active)
            try await pass("4 days 23 hours")
            #expect(try await fail() == .active)
            world.receiver.answer { _ in .text("thanks") }
            _ = try await world.manage.test(hook.id, by: TestDatabase.administrator)
            try await world.hurry()
            try await world.send(hook.id)
            try await pass("5 days")
            #expect(try await fail() == .active)
            try await pass("5 days")
            #expect(try await fail() == .disabled)
            let actions = try await world.test.database.auditTrail.about("webhook", hook.id.description).map(\.action)
            #expect(actions.first == "webhook.disable")
            try await world.manage.resume(hook.id, by: TestDatabase.administrator)
            #expect(try await fail() == .active)
        }
    }

    @Test("Deliveries of a paused webhook are queued, and sent in order when it is resumed")
    func paused() async throws {
        try await HookWorld.with { world in
            let hook = try await world.add()
            try await world.manage.pause(hook.id, by: TestDatabase.administrator)
            let id = try await world.article("One")
            try await world.edit(id, ["title": "Two"])
            try await world.send(hook.id)
            #expect(world.receiver.taken.isEmpty)
            try await world.manage.resume(hook.id, by: TestDatabase.administrator)
            try await world.send(hook.id)
            #expect(world.receiver.taken.map(\.type) == ["entry.published", "entry.updated"])
        }
    }

    @Test("R20: a delivery is replayed with its id; a replay since a publication includes missed deliveries")
    func replay() async throws {
        try await HookWorld.with { world in
            _ = try await world.article("Before")
            let hook = try await world.add()
            let id = try await world.article("One")
            try await world.edit(id, ["title": "Two"])
            try await world.send(hook.id)
            let first = try await world.messages(hook.id)[0].id
            try await world.manage.replay(first, of: hook.id, by: TestDatabase.administrator)
            try await world.send(hook.id)
            #expect(world.receiver.taken.map(\.id).count == 3)
            #expect(world.receiver.taken.last?.id == first.description)
            let count = try await world.manage.replay(from: 2, of: hook.id, by: TestDatabase.administrator)
            try await world.send(hook.id)
            let again = world.receiver.taken.dropFirst(3)
            #expect(count == 3 && again.count == 3)
            #expect(Set(again.compactMap { $0.data["publication"]?.integerValue }) == [2, 3, 4])
            let ordered = again.filter { $0.data["entry"]?.stringValue == id.description }
            #expect(ordered.map(\.type) == ["entry.published", "entry.updated"])
            #expect(ordered.first?.id == first.description)
            await #expect(throws: Failure.self) {
                try await world.manage.replay(ID(hook.id.uuid), of: hook.id, by: TestDatabase.administrator)
            }
        }
    }

    @Test("S41: during a rotation deliveries have both signatures, and after a day only the new one")
    func rotation() async throws {
        try await HookWorld.with { world in
            let hook = try await world.add()
            let new = try await world.manage.rotate(hook.id, by: TestDatabase.administrator).text
            #expect(new != hook.secret)
            _ = try await world.article("One")
            try await world.send(hook.id)
            let both = try #require(world.receiver.taken.last)
            #expect(both.signatures.count == 2 && both.isSigned(with: new) && both.isSigned(with: hook.secret))
            let left = try #require(try await world.test.database.webhooks.find(hook.id)?.oldSecretUntil)
            #expect(left.timeIntervalSinceNow > 23.9 * 3600 && left.timeIntervalSinceNow <= 24 * 3600)
            try await world.test.writeUnchecked("update ops.webhook set old_secret_until = clock_timestamp()")
            _ = try await world.article("Two")
            try await world.send(hook.id)
            let one = try #require(world.receiver.taken.last)
            #expect(one.signatures.count == 1 && one.isSigned(with: new) && !one.isSigned(with: hook.secret))
        }
    }

    @Test("S33: a private IP address is refused at creation, and a host that resolves to one at delivery")
    func inside() async throws {
        try await HookWorld.with { world in
            for url in [
                "http://127.0.0.2:\(world.port)/", "http://[::1]:\(world.port)/", "http://10.0.0.1:\(world.port)/",
            ] {
                await #expect(throws: Failure.self) { _ = try await world.add(url: url) }
            }
            let hook = try await world.add(url: "http://localhost:\(world.port)/")
            _ = try await world.article("One")
            let closed = WebhookRules(
                policy: FetchPolicy(allowsHTTP: true, ports: [world.port]), key: HookWorld.key(1))
            try await world.deliver(rules: closed)(.webhook(hook.id))
            #expect(world.receiver.taken.isEmpty && world.receiver.refused.isEmpty)
            let message = try await world.messages(hook.id)[0]
            let attempt = try #require(try await world.test.database.webhookDeliveries.attempts(at: message.id).first)
            #expect(attempt.error?.contains("isn't a public internet address") == true && attempt.status == nil)
        }
    }

    @Test("Deleting a webhook deletes its log, also during a delivery")
    func removed() async throws {
        try await HookWorld.with { world in
            let hook = try await world.add()
            _ = try await world.article("One")
            let claimed = try await world.test.database.outbox.claim(.webhook(hook.id), limit: 1).messages
            try await world.manage.delete(hook.id, by: TestDatabase.administrator)
            let attempt = WebhookAttempt(
                startedAt: Date(), durationMilliseconds: 1, status: 200, response: "", error: nil, isDelivered: true)
            try await world.test.database.outbox.finish(
                claimed[0], SendAttempt(.sent, response: attempt), retryAfter: nil)
            #expect(try await world.test.client.one("select count(*) as n from ops.webhook_attempt")("n") == 0)
            await #expect(throws: Failure.self) {
                try await world.manage.delete(hook.id, by: TestDatabase.administrator)
            }
        }
    }
}
