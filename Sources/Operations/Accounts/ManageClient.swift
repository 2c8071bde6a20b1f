// Creates API clients, rotates their secrets, sets their rate limits, and revokes them.
import Domain
import Localization
import Platform
import Store

package struct ManageClient: Sendable {
    /// Hours that the old secret may stay valid after a rotation, at most: 31 days.
    package static let longestOverlap = 24 * 31

    let database: Database

    /// Creates a client. Its secret is returned once; only its hash is stored.
    /// `perMinute` limits its requests; nil means no limit.
    package func create(name: String, scopes: [Scope], perMinute: Int? = nil, by actor: Actor) async throws -> (
        id: ID<APIClient>, secret: Token
    ) {
        try actor.require(.administer, tr("manage API clients"))
        var errors = FieldErrors()
        let checked = errors.collect { () throws(Failure) in try AccountName.check(name) }
        if scopes.isEmpty { errors.add("/scopes", "required", tr("Choose at least one scope.")) }
        if let problem = Self.problem(to: perMinute) { errors.add("/per_minute", "range", problem) }
        try errors.throwIfAny()
        let name = checked ?? name
        let id = ID<APIClient>(UUIDv7.make())
        let secret = Token.make()
        let event = AuditEvent(
            "client.create", on: "client", id.description,
            detail: ["name": .string(name), "scopes": .array(scopes.map { .string($0.rawValue) })])
        try await database.transaction(by: actor, event) { transaction in
            try await transaction.clients.add(
                id: id, name: name, secretHash: secret.hash, scopes: scopes, perMinute: perMinute)
        }
        return (id, secret)
    }

    /// Rotates a client's secret; the new one is returned once. The old one stays valid for `overlapHours` (0: it stops
    /// working at once); a secret older than that stops working.
    package func rotate(_ id: ID<APIClient>, overlapHours: Int = 0, by actor: Actor) async throws -> Token {
        try actor.require(.administer, tr("manage API clients"))
        guard (0...Self.longestOverlap).contains(overlapHours) else {
            let message = tr("Enter 0 to \(Self.longestOverlap) hours.")
            throw Failure.invalid(FieldErrors("/hours", "range", message))
        }
        let secret = Token.make()
        let event = AuditEvent(
            "client.rotate", on: "client", id.description, detail: ["overlap_hours": .int(Int64(overlapHours))])
        let exists = try await database.transaction(by: actor, event) { transaction in
            try await transaction.clients.rotate(id, secretHash: secret.hash, overlapHours: overlapHours)
        }
        if !exists { throw Failure.missing("client") }
        return secret
    }

    /// Revokes the old secret before its overlap ends.
    package func revokeOldSecret(_ id: ID<APIClient>, by actor: Actor) async throws {
        try actor.require(.administer, tr("manage API clients"))
        let event = AuditEvent("client_secret.revoke", on: "client", id.description)
        let isEnded = try await database.transaction(by: actor, event) { try await $0.clients.revokeOldSecret(id) }
        if !isEnded { throw Failure.missing("old secret") }
    }

    package func setLimit(_ id: ID<APIClient>, perMinute: Int?, by actor: Actor) async throws {
        try actor.require(.administer, tr("manage API clients"))
        if let problem = Self.problem(to: perMinute) {
            throw Failure.invalid(FieldErrors("/per_minute", "range", problem))
        }
        guard let client = try await database.clients.find(id) else { throw Failure.missing("client") }
        func limit(_ number: Int?) -> JSONValue { number.map { .int(Int64($0)) } ?? .null }
        let event = AuditEvent(
            "client.update", on: "client", id.description,
            detail: ["from": limit(client.perMinute), "to": limit(perMinute)])
        let exists = try await database.transaction(by: actor, event) { try await $0.clients.setLimit(id, perMinute) }
        if !exists { throw Failure.missing("client") }
    }

    private static func problem(to perMinute: Int?) -> String? {
        guard let perMinute, !(1...1_000_000).contains(perMinute) else { return nil }
        return tr("Enter a number from 1 to 1,000,000, or leave empty for no limit.")
    }

    package func revoke(_ id: ID<APIClient>, by actor: Actor) async throws {
        try actor.require(.administer, tr("manage API clients"))
        let event = AuditEvent("client.revoke", on: "client", id.description)
        let isRevoked = try await database.transaction(by: actor, event) { transaction in
            try await transaction.clients.revoke(id)
        }
        if !isRevoked { throw Failure.missing("client") }
    }
}
