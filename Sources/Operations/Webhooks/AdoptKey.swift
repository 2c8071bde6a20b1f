// Makes the configured encryption key the one that belongs to the database.
import Domain
import Localization
import Platform
import Store

package struct AdoptKey: Sendable {
    package struct Plan: Sendable {
        package let fingerprint: String
        /// Whether it is already the key of this database.
        package let isAdopted: Bool
        /// Webhooks and second factors whose secrets this key can't open.
        package let webhooks: Int
        package let secondFactors: Int
    }

    private let database: Database
    private let rules: WebhookRules

    package init(database: Database, rules: WebhookRules) {
        self.database = database
        self.rules = rules
    }

    /// Verifies the key. The first daemon of a database creates the key and records its fingerprint. A command that needs
    /// it must not create it, because the daemon may be another user.
    package func atStart(by actor: Actor, mayCreate: Bool = true) async throws {
        guard try await database.identities.find(.key) == nil else {
            try await VerifyKey(database.identities, rules: rules)()
            return
        }
        if mayCreate {
            try rules.createKey()
        } else if !rules.hasKey {
            throw ConfigurationError(problems: [
                tr(
                    "This database has no encryption key yet. Its first daemon creates one, as its own user: start that "
                        + "first, or set webhooks.key.")
            ])
        }
        try await record(try rules.fingerprint(), previous: nil, by: actor)
        try await VerifyKey(database.identities, rules: rules)()
    }

    /// `secondFactor`: the purpose of the key that seals second factors.
    package func plan(secondFactor purpose: String) async throws -> Plan {
        let fingerprint = try rules.fingerprint()
        let webhooks = try await database.webhooks.sealedSecrets().filter { !rules.opens($0) }
        let box = rules.box(for: purpose)
        let factors = try await database.secondFactors.sealedSecrets().filter { box?.open($0) == nil }
        return Plan(
            fingerprint: fingerprint, isAdopted: try await database.identities.find(.key) == fingerprint,
            webhooks: webhooks.count, secondFactors: factors.count)
    }

    /// `fingerprint` must be the one of the plan.
    package func callAsFunction(_ fingerprint: String, by actor: Actor) async throws {
        try actor.require(.administer, "adopt a key")
        let found = try rules.fingerprint()
        guard found == fingerprint else {
            throw Failure.conflict(
                code: "stale", message: "The fingerprint of the key is \(found), not \(fingerprint).")
        }
        try await record(found, previous: try await database.identities.find(.key), by: actor)
    }

    private func record(_ fingerprint: String, previous: String?, by actor: Actor) async throws {
        let event = AuditEvent(
            "key.adopt", on: "key",
            detail: ["fingerprint": .string(fingerprint), "previous": previous.map(JSONValue.string) ?? .null])
        try await database.transaction(by: actor, event) { transaction in
            guard previous != nil else {
                _ = try await transaction.identities.add(.key, fingerprint, by: actor)
                return
            }
            try await transaction.identities.replace(.key, by: fingerprint, by: actor)
        }
    }
}
