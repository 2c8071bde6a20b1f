// Reads and writes roles: the presets of the program, and the roles of the team.
import Domain
import Localization
import Postgres

extension Role {
    /// A column with the role of this name, or null, to decode as a `Role`.
    static func column(_ name: SQL) -> SQL {
        "(select to_jsonb(named_role) from ops.role named_role where named_role.name = \(name))"
    }
}

extension Role: PostgresDecodable {
    package static func decode(_ cell: PostgresCell) -> Role? {
        guard let members = JSONValue.decode(cell)?.objectValue, let name = members["name"]?.stringValue,
            let label = members["label"]?.stringValue, let permissions = members["permissions"]?.arrayValue
        else { return nil }
        return Role(
            name: name, label: label,
            permissions: Set(permissions.compactMap { $0.stringValue.flatMap(Permission.init) }),
            isPreset: members["is_preset"] == .bool(true))
    }
}

package struct RoleLine: Sendable {
    package let role: Role
    /// How many accounts have it, disabled ones included.
    package let accounts: Int
    /// Whether accounts, submissions or review stages refer to it, so that it can't be deleted.
    package let isUsed: Bool
}

package struct RoleStore: Sendable {
    let connection: StoreConnection

    /// Presets, from the curator to the administrator; then the others by label.
    private static let order: SQL = """
        r.is_preset desc, case when r.is_preset then cardinality(r.permissions) end, lower(r.label), r.name
        """

    package func list() async throws -> [Role] {
        try await connection.rows(
            "select to_jsonb(r) as role from ops.role r order by \(Self.order) limit 1000"
        ) { try $0("role") }
    }

    package func find(_ name: String) async throws -> Role? {
        try await connection.first("select to_jsonb(r) as role from ops.role r where r.name = \(name)") {
            try $0("role")
        }
    }

    /// The role of this name. Throws `Failure.invalid` with the existing names if there is none.
    package func named(_ name: String, pointer: String) async throws -> Role {
        if let role = try await find(name) { return role }
        let names = try await list().map(\.name).joined(separator: ", ")
        throw Failure.invalid(
            FieldErrors(pointer, "choice", tr("There is no role \"\(name)\". Use one of: \(names).")))
    }

    /// The roles with their use.
    package func lines() async throws -> [RoleLine] {
        try await connection.rows(
            """
            select to_jsonb(r) as role, a.accounts,
                a.accounts > 0 or exists (select from curation.queue_item q where q.assigned_role = r.name)
                    or exists (select from curation.review_stage s where s.role = r.name) as is_used
            from ops.role r
            cross join lateral (select count(*) as accounts from ops.account where role = r.name) a
            order by \(Self.order) limit 1000
            """
        ) { RoleLine(role: try $0("role"), accounts: try $0("accounts"), isUsed: try $0("is_used")) }
    }

    // MARK: Changes

    package func add(_ role: Role) async throws {
        try await connection.run(
            """
            insert into ops.role (name, label, permissions)
            values (\(role.name), \(role.label), \(role.permissions.names)::text[])
            """)
    }

    /// Changes the label and the permissions. Presets refuse it (`role_preset`).
    package func update(_ role: Role) async throws {
        try await connection.run(
            """
            update ops.role set label = \(role.label), permissions = \(role.permissions.names)::text[]
            where name = \(role.name)
            """)
    }

    /// Presets refuse it (`role_preset`), and so do roles in use.
    package func remove(_ name: String) async throws {
        try await connection.run("delete from ops.role where name = \(name)")
    }
}

extension Set<Permission> {
    /// The names, in the order of the permissions.
    package var names: [String] { Permission.allCases.filter(contains).map(\.rawValue) }
}
