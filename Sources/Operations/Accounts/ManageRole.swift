// Creates, changes and deletes the roles that a team defines. The program's presets stay as they are.
import Domain
import Localization
import Store

package struct ManageRole: Sendable {
    let database: Database

    package func create(name: String, label: String, permissions: [String], by actor: Actor) async throws -> Role {
        try actor.require(.administer, tr("manage roles"))
        let role = try Role.check(name: name, label: label, permissions: permissions)
        let event = AuditEvent("role.create", on: "role", name, detail: ["after": Self.json(role)])
        try await database.transaction(by: actor, event) { try await $0.roles.add(role) }
        return role
    }

    /// Changes the label, the permissions or both. Applies to the next request of everyone who has the role.
    package func update(
        _ name: String, label: String? = nil, permissions: [String]? = nil, by actor: Actor
    ) async throws -> Role {
        try actor.require(.administer, tr("manage roles"))
        let before = try await find(name)
        let after = try Role.check(
            name: name, label: label ?? before.label, permissions: permissions ?? before.permissions.names)
        let event = AuditEvent(
            "role.update", on: "role", name, detail: ["before": Self.json(before), "after": Self.json(after)])
        try await database.transaction(by: actor, event) { try await $0.roles.update(after) }
        return after
    }

    /// Deletes a role that no account has, no submission is assigned to and no review stage has required.
    package func delete(_ name: String, by actor: Actor) async throws {
        try actor.require(.administer, tr("manage roles"))
        let role = try await find(name)
        let event = AuditEvent("role.delete", on: "role", name, detail: ["before": Self.json(role)])
        try await database.transaction(by: actor, event) { try await $0.roles.remove(name) }
    }

    private func find(_ name: String) async throws -> Role {
        try await database.roles.find(name).orMissing("role")
    }

    private static func json(_ role: Role) -> JSONValue {
        .object(["label": .string(role.label), "permissions": .array(role.permissions.names.map { .string($0) })])
    }
}
