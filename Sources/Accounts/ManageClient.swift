// Makes API clients, gives them new secrets, and revokes them.
import Domain
import Platform
import Store

package struct ManageClient: Sendable {
    /// How long the secret before may go on beside a new one, at most: a month.
    package static let longestOverlap = 24 * 31

    private let database: Database

    package init(database: Database) {
        self.database = database
    }

    /// Makes a client; its secret is told once and stored as a hash.
    /// `perMinute` limits its requests; nil is any number.
    package func add(name: String, scopes: [Scope], perMinute: Int? = nil, by actor: Actor) async throws -> (
        id: ID<APIClient>, secret: Token
    ) {
        try actor.require(.administer, "manage API clients")
        var errors = FieldErrors()
        let checked = errors.collect { () throws(Failure) in try AccountName.check(name) }
        if scopes.isEmpty { errors.add("/scopes", "required", "Choose at least one scope.") }
        if let objection = Self.objection(to: perMinute) { errors.add("/per_minute", "range", objection) }
        try errors.throwIfAny()
        let name = checked ?? name
        let id = ID<APIClient>(UUIDv7.make())
        let secret = Token.make()
        let event = AuditEvent(
            "client.create", on: "client", id.description,
            detail: ["name": .string(name), "scopes": .array(scopes.map { .string($0.rawValue) })])
        try await database.change(by: actor, event) { change in
            try await change.clients.add(
                id: id, name: name, secretHash: secret.hash, scopes: scopes, perMinute: perMinute)
        }
        return (id, secret)
    }

    /// Gives a client another secret, told once. The one before goes on for `overlapHours`, and with 0 lets nobody in any
    /// more; one before that does not go on.
    package func renew(_ id: ID<APIClient>, overlapHours: Int = 0, by actor: Actor) async throws -> Token {
        try actor.require(.administer, "manage API clients")
        guard (0...Self.longestOverlap).contains(overlapHours) else {
            let sentence = "The old secret goes on for 0 to \(Self.longestOverlap) hours."
            throw Failure.invalid(FieldErrors("/hours", "range", sentence))
        }
        let secret = Token.make()
        let event = AuditEvent(
            "client.rotate", on: "client", id.description, detail: ["overlap_hours": .int(Int64(overlapHours))])
        let isThere = try await database.change(by: actor, event) { change in
            try await change.clients.renew(id, secretHash: secret.hash, overlapHours: overlapHours)
        }
        if !isThere { throw Failure.missing("client") }
        return secret
    }

    /// The secret before a renewal lets nobody in any more, before its time is over.
    package func endOverlap(_ id: ID<APIClient>, by actor: Actor) async throws {
        try actor.require(.administer, "manage API clients")
        let event = AuditEvent("client_secret.revoke", on: "client", id.description)
        let isEnded = try await database.change(by: actor, event) { try await $0.clients.endOverlap(id) }
        if !isEnded { throw Failure.missing("secret before") }
    }

    package func setLimit(_ id: ID<APIClient>, perMinute: Int?, by actor: Actor) async throws {
        try actor.require(.administer, "manage API clients")
        if let objection = Self.objection(to: perMinute) {
            throw Failure.invalid(FieldErrors("/per_minute", "range", objection))
        }
        guard let client = try await database.clients.find(id) else { throw Failure.missing("client") }
        func limit(_ number: Int?) -> JSONValue { number.map { .int(Int64($0)) } ?? .null }
        let event = AuditEvent(
            "client.update", on: "client", id.description,
            detail: ["from": limit(client.perMinute), "to": limit(perMinute)])
        let isThere = try await database.change(by: actor, event) { try await $0.clients.setLimit(id, perMinute) }
        if !isThere { throw Failure.missing("client") }
    }

    private static func objection(to perMinute: Int?) -> String? {
        guard let perMinute, !(1...1_000_000).contains(perMinute) else { return nil }
        return "A limit is a number from 1 to 1,000,000; leave it empty for none."
    }

    package func revoke(_ id: ID<APIClient>, by actor: Actor) async throws {
        try actor.require(.administer, "manage API clients")
        let event = AuditEvent("client.revoke", on: "client", id.description)
        let isRevoked = try await database.change(by: actor, event) { change in
            try await change.clients.revoke(id)
        }
        if !isRevoked { throw Failure.missing("client") }
    }
}
