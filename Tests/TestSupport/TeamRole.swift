// Creates roles as a team defines them.
import Domain
import Operations

extension TestDatabase {
    package func role(_ name: String, _ permissions: Set<Permission>) async throws -> Role {
        try await services.manageRole.create(
            name: name, label: name.capitalized, permissions: permissions.names, by: Self.administrator)
    }
}
