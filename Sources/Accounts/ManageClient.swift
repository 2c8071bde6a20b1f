// Makes API clients, gives them new secrets, and revokes them.
import Domain
import Platform
import Store

package struct ManageClient: Sendable {
    private let database: Database

    package init(database: Database) {
        self.database = database
    }

    /// Makes a client; its secret is told once and stored as a hash.
    package func add(name: String, scopes: [Scope], by actor: Actor) async throws -> (id: ID<APIClient>, secret: Token)
    {
        try actor.require(.administer, "manage API clients")
        let name = try AccountName.check(name)
        guard !scopes.isEmpty else {
            throw Failure.invalid(FieldErrors("/scopes", "required", "Choose at least one scope."))
        }
        let id = ID<APIClient>(UUIDv7.make())
        let secret = Token.make()
        let event = AuditEvent(
            "client.add", on: "client", id.description,
            detail: ["name": .string(name), "scopes": .array(scopes.map { .string($0.rawValue) })])
        try await database.change(by: actor, event) { change in
            try await change.clients.add(id: id, name: name, secretHash: secret.hash, scopes: scopes)
        }
        return (id, secret)
    }

    /// Gives a client another secret, told once; the one before lets nobody in any more.
    package func renew(_ id: ID<APIClient>, by actor: Actor) async throws -> Token {
        try actor.require(.administer, "manage API clients")
        let secret = Token.make()
        let event = AuditEvent("client.renew", on: "client", id.description)
        let isThere = try await database.change(by: actor, event) { change in
            try await change.clients.renew(id, secretHash: secret.hash)
        }
        if !isThere { throw Failure.missing("client") }
        return secret
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
