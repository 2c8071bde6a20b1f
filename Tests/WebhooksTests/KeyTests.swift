// Tests that only the encryption key that belongs to the database is used, and how another one is adopted.
import Domain
import Fetch
import FoundationEssentials
import Operations
import Platform
import Store
import TestSupport
import Testing

@Suite("Encryption key", .databases)
struct KeyTests {
    private static let actor = TestDatabase.administrator

    private func rules(_ key: SecretBoxKey) -> WebhookRules { WebhookRules(policy: FetchPolicy(), key: key) }

    private func adopt(_ test: TestDatabase, _ byte: UInt8) -> AdoptKey {
        AdoptKey(database: test.database, rules: rules(HookWorld.key(byte)))
    }

    @Test("The first daemon records the fingerprint; one with another key is refused and records nothing")
    func first() async throws {
        let test = try await TestDatabase.make()
        try await adopt(test, 1).atStart(by: Self.actor)
        let known = try await test.database.identities.find(.key)
        #expect(known == (try rules(HookWorld.key(1)).fingerprint()))
        try await adopt(test, 1).atStart(by: Self.actor)
        let error = await #expect(throws: ConfigurationError.self) { try await adopt(test, 2).atStart(by: Self.actor) }
        #expect(error?.description.contains("is not the one of this database") == true)
        #expect(error?.description.contains("vitrine key adopt") == true)
        #expect(try await test.database.identities.find(.key) == known)
    }

    @Test("A missing key is created for a new database only; for another one it is an error")
    func missing() async throws {
        let test = try await TestDatabase.make()
        let folder = FileManager.default.temporaryDirectory.path + "/vitrine-key-\(UUIDv7.make())"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let created = rules(SecretBoxKey(given: nil, path: folder + "/one/webhooks.key"))
        let early = await #expect(throws: ConfigurationError.self) {
            try await AdoptKey(database: test.database, rules: created).atStart(by: Self.actor, mayCreate: false)
        }
        #expect(early?.description.contains("start that first") == true)
        #expect(!created.hasKey && !FileManager.default.fileExists(atPath: folder))
        try await AdoptKey(database: test.database, rules: created).atStart(by: Self.actor)
        #expect(created.hasKey)
        let other = rules(SecretBoxKey(given: nil, path: folder + "/two/webhooks.key"))
        let error = await #expect(throws: ConfigurationError.self) {
            try await AdoptKey(database: test.database, rules: other).atStart(by: Self.actor)
        }
        #expect(error?.description.contains("two/webhooks.key doesn't exist") == true && !other.hasKey)
    }

    @Test("S53: no webhook secret is sealed with another key, neither of a new webhook nor at a rotation")
    func sealing() async throws {
        try await HookWorld.with { world in
            try await adopt(world.test, 1).atStart(by: Self.actor)
            let hook = try await world.add()
            let other = ManageWebhook(
                database: world.test.database,
                rules: WebhookRules(policy: world.rules.policy, key: HookWorld.key(2)))
            await #expect(throws: Failure.self) {
                _ = try await other.create(url: world.url, events: [.entryPublished], note: "", by: Self.actor)
            }
            await #expect(throws: Failure.self) { _ = try await other.rotate(hook.id, by: Self.actor) }
            #expect(try await world.test.database.webhooks.list().count == 1)
            _ = try await world.manage.rotate(hook.id, by: Self.actor)
        }
    }

    @Test("An adoption names what the new key can't open, needs its fingerprint and an administrator, and is audited")
    func adoption() async throws {
        try await HookWorld.with { world in
            let test = world.test
            try await adopt(test, 1).atStart(by: Self.actor)
            _ = try await world.add()
            let purpose = SecondFactorRules.purpose
            let before = try await adopt(test, 1).plan(secondFactor: purpose)
            #expect(before.isAdopted && before.webhooks == 0 && before.secondFactors == 0)
            let plan = try await adopt(test, 2).plan(secondFactor: purpose)
            #expect(!plan.isAdopted && plan.webhooks == 1)
            await #expect(throws: Failure.self) { try await adopt(test, 2)(before.fingerprint, by: Self.actor) }
            let publisher = try await test.actor(.publisher)
            await #expect(throws: Failure.self) { try await adopt(test, 2)(plan.fingerprint, by: publisher) }
            try await adopt(test, 2)(plan.fingerprint, by: Self.actor)
            try await adopt(test, 2).atStart(by: Self.actor)
            await #expect(throws: ConfigurationError.self) { try await adopt(test, 1).atStart(by: Self.actor) }
            let details: [String] = try await test.client.query(
                "select detail ->> 'previous' as previous from ops.audit_event where action = 'key.adopt' and detail ->> 'previous' is not null"
            ).map { try $0("previous") }
            #expect(details == [before.fingerprint])
        }
    }
}
